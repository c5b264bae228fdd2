import { decodeAbiParameters, type Hash, type Hex, hexToBytes, size } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { callWithBisection, runReader } from '#src/market/reads/runReader.ts'
import { currencyReader } from '#src/protocol/contracts/artifacts/currencyReader.ts'

/** No real currency has more decimals. A contract that reports more is not accepted as a currency. */
export const maxDecimals = 36

const maxSymbolCharacters = 32
const maxNameCharacters = 64

/**
 * ERC-20 metadata at one block, in the order of `addresses`; undefined for an address without a currency. Uses one
 * eth_call of `CurrencyReader.sol` per 250 addresses, or more if they need more gas. A contract cannot affect the
 * answers of others. The shortened address replaces an unreadable symbol, the symbol an unreadable name.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function readCurrencies(
  client: ChainClient,
  chainId: ChainId,
  addresses: readonly Address[],
  blockHash: Hash,
): Promise<readonly (Currency | undefined)[]> {
  const answers: Metadata[] = []
  for (let at = 0; at < addresses.length; at += currenciesPerCall)
    answers.push(
      ...(await readMetadata(client, addresses.slice(at, at + currenciesPerCall), blockHash)),
    )
  return addresses.map((address, at) => toCurrency(chainId, address, answers[at] ?? noCurrency))
}

/** About as many as the gas of one eth_call allows. */
const currenciesPerCall = 250

const readMetadata = (
  client: ChainClient,
  addresses: readonly Address[],
  blockHash: Hash,
): Promise<readonly Metadata[]> =>
  callWithBisection<Address, Metadata>(
    addresses,
    (some) =>
      runReader(client, currencyReader, { functionName: 'metadata', args: [some], blockHash }),
    () => [noCurrency],
  )

type Metadata = Readonly<{
  isCurrency: boolean
  decimals: bigint
  symbol: `0x${string}`
  name: `0x${string}`
}>

const noCurrency: Metadata = { isCurrency: false, decimals: 0n, symbol: '0x', name: '0x' }

function toCurrency(
  chainId: ChainId,
  address: Address,
  { isCurrency, decimals, ...texts }: Metadata,
): Currency | undefined {
  if (!isCurrency || decimals > BigInt(maxDecimals)) return undefined
  const symbol = decodeText(texts.symbol, maxSymbolCharacters) ?? shorten(address)
  const name = decodeText(texts.name, maxNameCharacters) ?? symbol
  const metadata = { verified: false, isNative: false }
  return { chainId, address, symbol, name, decimals: Number(decimals), metadata }
}

const shorten = (address: Address): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/**
 * Decodes the return value of `symbol()` or `name()`, a string or the bytes32 of old contracts, for display: without
 * control, format and unassigned characters, with single spaces, cut to `maxCharacters`.
 * @returns undefined if no readable text remains.
 */
export function decodeText(data: Hex, maxCharacters: number): string | undefined {
  const raw = size(data) === 32 ? decodeBytes32(data) : decodeString(data)
  const clean = raw
    .replace(/[\p{C}\p{Zl}\p{Zp}\uFFFD]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
  const text = Array.from(clean).slice(0, maxCharacters).join('').trim()
  return text === '' ? undefined : text
}

function decodeBytes32(word: Hex): string {
  const bytes = hexToBytes(word)
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end))
}

function decodeString(data: Hex): string {
  try {
    return decodeAbiParameters([{ type: 'string' }], data)[0]
  } catch {
    return ''
  }
}
