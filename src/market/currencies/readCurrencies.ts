import type { Hash } from 'viem'
import type { ChainClient } from '#src/chains/chainClient.ts'
import { currencyReader } from '#src/contracts/artifacts/currencyReader.ts'
import { askInHalves, runReader } from '#src/market/reads/runReader.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import { decodeText } from './currencyText.ts'

/** More decimals than any real currency has; beyond it a contract is taken for a liar. */
export const mostDecimals = 36

const longestSymbol = 32
const longestName = 64

/**
 * ERC-20 metadata at one block, an answer for each address in its place: undefined where nothing
 * answers as a currency does. One eth_call of `CurrencyReader.sol` for all, or as few as their gas
 * allows; what one contract does cannot spoil another's answer.
 * A symbol that cannot be read is replaced by the shortened address, a name by the symbol.
 * @throws RpcUnavailableError or RpcRefusedError when the node fails.
 */
export async function readCurrencies(
  client: ChainClient,
  chainId: ChainId,
  addresses: readonly Address[],
  blockHash: Hash,
): Promise<readonly (Currency | undefined)[]> {
  const answers: Metadata[] = []
  for (let at = 0; at < addresses.length; at += currenciesAtOnce)
    answers.push(
      ...(await readMetadata(client, addresses.slice(at, at + currenciesAtOnce), blockHash)),
    )
  return addresses.map((address, at) => toCurrency(chainId, address, answers[at] ?? nothing))
}

/** About what a node's gas for one eth_call is enough for. */
const currenciesAtOnce = 250

const readMetadata = (
  client: ChainClient,
  addresses: readonly Address[],
  blockHash: Hash,
): Promise<readonly Metadata[]> =>
  askInHalves<Address, Metadata>(
    addresses,
    (some) =>
      runReader(client, currencyReader, { functionName: 'metadata', args: [some], blockHash }),
    () => [nothing],
  )

type Metadata = Readonly<{
  isCurrency: boolean
  decimals: bigint
  symbol: `0x${string}`
  name: `0x${string}`
}>

const nothing: Metadata = { isCurrency: false, decimals: 0n, symbol: '0x', name: '0x' }

function toCurrency(
  chainId: ChainId,
  address: Address,
  { isCurrency, decimals, ...texts }: Metadata,
): Currency | undefined {
  if (!isCurrency || decimals > BigInt(mostDecimals)) return undefined
  const symbol = decodeText(texts.symbol, longestSymbol) ?? shorten(address)
  const name = decodeText(texts.name, longestName) ?? symbol
  const metadata = { verified: false, isNative: false }
  return { chainId, address, symbol, name, decimals: Number(decimals), metadata }
}

const shorten = (address: Address): string => `${address.slice(0, 6)}…${address.slice(-4)}`
