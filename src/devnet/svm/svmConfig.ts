import type { ConfigInput } from '#src/config/config.ts'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import type { DeployedChain } from '#src/devnet/deployment/deployChain.ts'
import { logoUri } from '#src/devnet/logoUri.ts'
import type { SvmChainDescription } from './svmChainDescription.ts'

/**
 * The Solana chain, and the solver's accounts on it, in the format of the configuration.
 * @param feeding has the price feeds
 */
export function svmConfigOf(
  chain: SvmChainDescription,
  feeding: DeployedChain | undefined,
): Readonly<{
  svmChains: NonNullable<ConfigInput['svmChains']>
  solver: NonNullable<ConfigInput['solver']['svm']>
}> {
  const { id, name, displayName, genesisHash, rpcUrl, wsUrl, nativeCurrency, keys } = chain
  const native = { ...nativeCurrency, logoURI: logoUri(nativeCurrency.symbol) }
  return {
    svmChains: [
      {
        vmType: 'svm',
        id,
        name,
        displayName,
        genesisHash,
        rpcUrls: [rpcUrl],
        publicRpcUrl: rpcUrl,
        publicWsUrl: wsUrl,
        iconUrl: native.logoURI,
        nativeCurrency: native,
        program: chain.programId,
        agreeingEndpoints: 1,
        // A busy machine may hold up its blocks for a while.
        maxMarketAgeSeconds: 60,
        priceFeeds: svmCurrenciesOf(chain).flatMap(({ address, symbol }) =>
          feedsOf(symbol, feeding).map((feed) => ({ currency: address, ...feed })),
        ),
      },
    ],
    solver: { address: keys.solver.address, allocator: keys.allocator.address },
  }
}

const svmCurrenciesOf = ({
  nativeCurrency,
  mints,
}: SvmChainDescription): readonly Readonly<{ address: Pubkey; symbol: string }>[] => [
  { ...nativeCurrency, address: svmNative },
  ...mints,
]

const feedsOf = (symbol: string, feeding: DeployedChain | undefined) => {
  if (feeding === undefined) return []
  const currency = feeding.currencies.find((each) => each.symbol === symbol)?.address
  return feeding.feeds
    .filter((feed) => feed.currency === currency)
    .map(({ aggregator }) => ({ chainId: feeding.plan.id, aggregator }))
}

/** The currency of this symbol on the Solana chain, in a list of an asset's currencies. */
export const svmSymbol = (chain: SvmChainDescription | undefined, symbol: string) =>
  chain === undefined
    ? []
    : svmCurrenciesOf(chain)
        .filter((currency) => currency.symbol === symbol)
        .map(({ address }) => ({ chainId: chain.id, address }))
