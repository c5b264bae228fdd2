import type { Pool } from '#src/pools/pool.ts'
import { swapExactInput } from '#src/pools/swap.ts'
import { type PoolGraph, poolsOf, updateGraph } from '#src/pricing/graph.ts'
import type { LegSwap } from '#src/pricing/leg.ts'
import type { Market } from '#src/pricing/market.ts'
import type { ChainId } from '#src/units/chainId.ts'

/**
 * The market of `chainId` as it will be once these legs are swapped, one after the other. They are of
 * transactions on their way, in the order of their nonces: the chain makes them in that order.
 */
export function marketAhead(market: Market, chainId: ChainId, legs: readonly LegSwap[]): Market {
  const chain = market.chains.get(chainId)
  if (chain === undefined || legs.every(({ route }) => route === undefined)) return market
  const graph = graphAfter(chain.graph, legs)
  return { ...market, chains: new Map(market.chains).set(chainId, { ...chain, graph }) }
}

function graphAfter(graph: PoolGraph, legs: readonly LegSwap[]): PoolGraph {
  const pools = new Map(poolsOf(graph).map((pool) => [pool.address, pool]))
  const changed = new Map<Pool['address'], Pool>()
  for (const { hops, amountIn } of legs.flatMap(({ route }) => route?.paths ?? [])) {
    let amount = amountIn
    for (const { pool, zeroForOne } of hops) {
      const now = changed.get(pool.address) ?? pools.get(pool.address)
      const swapped = now && swapExactInput(now, zeroForOne, amount)
      if (swapped === undefined) break
      changed.set(pool.address, swapped.next)
      amount = swapped.amountOut
    }
  }
  return updateGraph(graph, [...changed.values()])
}
