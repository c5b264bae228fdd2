import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import type { Config } from '#src/config/config.ts'
import type { SvmChainConfig } from '#src/config/svm/svmChain.ts'
import type { Account } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { type Pubkey, svmNative, toPubkey } from '#src/core/units/svm/pubkey.ts'
import type { Holding, OtherChain } from '#src/market/otherChain.ts'
import { decodeMint, tokensIn } from '#src/protocol/svm/accounts.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { followSvmMarket, type SvmMarketPorts } from './svmMarketFollower.ts'

type Settings = Pick<Config, 'assets' | 'solver'>

/** A Solana chain for `createMarkets`. */
export function createSvmMarketChain(
  ports: SvmMarketPorts,
  chain: SvmChainConfig,
  { assets, solver: { svm } }: Settings,
): OtherChain {
  const { client } = ports
  const native = svmNativeOf(chain)
  const currencies = [...new Set([svmNative, ...mintsOf(assets, chain.id)])]
  const solver = svm && { address: svm.address, allocator: svm.allocator ?? svm.address }
  return {
    facts: chain,
    native,
    follow: (others) =>
      followSvmMarket({ ...ports, ...others }, { chain, native, solver, currencies }),
    readCurrencies: (addresses) => readMints(client, assets, chain.id, addresses.map(toPubkey)),
    readBalances: (holdings) => readBalances(client, holdings),
  }
}

/** The native currency of a Solana chain, as its configuration describes it. */
function svmNativeOf({ id, nativeCurrency }: SvmChainConfig): Currency {
  const { symbol, name, decimals, logoURI } = nativeCurrency
  return {
    chainId: id,
    address: svmNative,
    symbol,
    name,
    decimals,
    metadata: { ...(logoURI === undefined ? {} : { logoURI }), verified: true, isNative: true },
  }
}

/** The currencies of all assets on a chain. */
const mintsOf = (assets: Settings['assets'], chainId: ChainId): readonly Pubkey[] =>
  assets.flatMap(({ currencies }) =>
    currencies.filter((each) => each.chainId === chainId).map(({ address }) => toPubkey(address)),
  )

/**
 * Mints do not contain a symbol or a name. Those of the token list count, else that of the asset, else the shortened
 * address.
 */
async function readMints(
  client: SvmClient,
  assets: Settings['assets'],
  chainId: ChainId,
  mints: readonly Pubkey[],
): Promise<readonly (Currency | undefined)[]> {
  const { accounts } = await client.getAccounts(mints, 'confirmed')
  return mints.map((address, at) => {
    const answer = decodeMint(accounts[at])
    if (answer.kind === 'refused') return undefined
    const symbol = symbolOf(assets, chainId, address)
    const metadata = { verified: false, isNative: false }
    return { chainId, address, symbol, name: symbol, decimals: answer.mint.decimals, metadata }
  })
}

const symbolOf = (assets: Settings['assets'], chainId: ChainId, mint: Account): string =>
  assets.find(({ currencies }) =>
    currencies.some((each) => each.chainId === chainId && each.address === mint),
  )?.symbol ?? `${mint.slice(0, 4)}…${mint.slice(-4)}`

/** Of the account itself, or of its associated token account. */
async function readBalances(client: SvmClient, holdings: readonly Holding[]) {
  const pairs = holdings.map(({ currency, account }) => ({
    currency: toPubkey(currency),
    account: toPubkey(account),
  }))
  const keys = pairs.map(({ currency, account }) =>
    currency === svmNative ? account : associatedTokenAddress(account, currency),
  )
  const { accounts } = await client.getAccounts(keys, 'confirmed')
  return pairs.map(({ currency }, at) => {
    const account = accounts[at]
    return toAmount(
      currency === svmNative ? (account?.lamports ?? 0n) : tokensIn(account, currency),
    )
  })
}
