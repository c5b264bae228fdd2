import type { Hash } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type PoolDepth, type PoolId, poolIdOf } from '#src/core/pools/poolKind.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { toUsd, type Usd, type UsdQuoted, usdValueDown } from '#src/core/units/usd.ts'
import type { BlockReads } from '#src/market/blockReads.ts'
import type { ChainCurrencies } from '#src/market/currencies/currencies.ts'
import { type DiscoveredPool, marketKindOf } from '#src/market/kinds/kinds.ts'
import { readTogether } from '#src/market/reads/reading.ts'

/** The currencies in which depth is measured, with their feed prices. No pool can change these prices. */
export type TrustedPrices = ReadonlyMap<Address, UsdQuoted>

/** Number of contract calls for a depth check of the pool; 0 for a pool without a trusted currency. */
export function readsFor(pool: DiscoveredPool, prices: TrustedPrices): number {
  const trusted = trustedOf(pool, prices).length
  return trusted === 0 ? 0 : marketKindOf(pool).depthCalls(trusted)
}

const trustedOf = (
  { currency0, currency1 }: DiscoveredPool,
  prices: TrustedPrices,
): readonly Address[] => [currency0, currency1].filter((each) => prices.has(each))

/**
 * The depth of each pool (as `PoolDepth` defines it) in its trusted currency, in US dollars, rounded down. If both
 * currencies are trusted, the larger value counts. The depth is an estimate by few calls; it is 0 for a pool that does
 * not answer. Leaves out pools without a trusted currency.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function readDepths(
  client: ChainClient,
  pools: readonly DiscoveredPool[],
  prices: TrustedPrices,
  blockHash: Hash,
): Promise<ReadonlyMap<PoolId, Usd>> {
  const trusted = pools.filter((pool) => readsFor(pool, prices) > 0)
  const readings = trusted.map((pool) =>
    marketKindOf(pool).readDepth(pool, trustedOf(pool, prices)),
  )
  const depths = await readTogether(client, readings, blockHash)
  return new Map(
    trusted.map((pool, at) => [poolIdOf(pool), usdOf(pool, depths[at] as PoolDepth, prices)]),
  )
}

function usdOf(
  { currency0, currency1 }: DiscoveredPool,
  { amount0, amount1 }: PoolDepth,
  prices: TrustedPrices,
): Usd {
  const value = (currency: Address, amount: bigint): Usd => {
    const quoted = prices.get(currency)
    return quoted ? usdValueDown(toAmount(amount), quoted.decimals, quoted.price) : toUsd(0n)
  }
  const other = value(currency1, amount1)
  const one = value(currency0, amount0)
  if (one < other) return other
  return one
}

type Chain = Readonly<{ id: ChainId; wrappedNative: Address }>

/**
 * The ERC-20 currencies with a usable feed price. Depth is measured in these alone. Prices from pools are excluded,
 * because an attacker who skews one pool for a block would make other pools look deep. Leaves out currencies that were
 * not read from the chain.
 */
export function toTrustedPrices(
  currencies: ChainCurrencies,
  { id: chainId, wrappedNative }: Chain,
  feedPrices: BlockReads['feedPrices'],
): TrustedPrices {
  const prices = new Map(feedPrices)
  const native = feedPrices.get(nativeAddress) ?? feedPrices.get(wrappedNative)
  if (native !== undefined) prices.set(wrappedNative, native)
  prices.delete(nativeAddress)
  return new Map(
    [...prices].flatMap(([address, price]) => {
      const decimals = currencies.known({ chainId, address })?.decimals
      return decimals === undefined ? [] : [[address, { decimals, price }] as const]
    }),
  )
}
