import type { Hash } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type DiscoveredPool, marketKindOf } from '#src/market/pools/kinds/kinds.ts'
import { readTogether } from '#src/market/reads/reading.ts'
import { type PoolId, poolIdOf } from '#src/pools/poolIdentity.ts'
import type { PoolDepth } from '#src/pools/poolKind.ts'
import type { Address } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { toUsd, type Usd, type UsdQuoted, usdValueDown } from '#src/units/usd.ts'

/** The currencies in which depth is counted, with their prices by feeds: no pool can change these. */
export type TrustedPrices = ReadonlyMap<Address, UsdQuoted>

/** The contract calls that the look at a pool takes; 0 for a pool without a trusted currency. */
export function readsFor(pool: DiscoveredPool, prices: TrustedPrices): number {
  const trusted = trustedOf(pool, prices).length
  return trusted === 0 ? 0 : marketKindOf(pool).depthCalls(trusted)
}

const trustedOf = (
  { currency0, currency1 }: DiscoveredPool,
  prices: TrustedPrices,
): readonly Address[] => [currency0, currency1].filter((each) => prices.has(each))

/**
 * How deep each pool is in its trusted currency, in the deeper one if both are: what `PoolDepth` says, in US dollars and
 * rounded down, as far as few calls tell it. A pool that does not answer has no depth. Leaves out pools without a trusted
 * currency.
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
