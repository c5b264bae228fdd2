import type { Pool } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolIdentity.ts'
import { swapExactInput } from '#src/core/pools/swap.ts'
import type { Market } from '#src/core/pricing/market.ts'
import { type PoolGraph, poolIn, updateGraph } from '#src/core/router/graph.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { LegSwap } from './leg.ts'

/** The market after the swaps of these legs on `chainId`, one after another in this order. */
export function marketAfterSwaps(
  market: Market,
  chainId: ChainId,
  legs: readonly LegSwap[],
): Market {
  const chain = market.chains.get(chainId)
  if (chain === undefined || legs.every(({ route }) => route === undefined)) return market
  const graph = graphAfterSwaps(chain.graph, legs)
  return { ...market, chains: new Map(market.chains).set(chainId, { ...chain, graph }) }
}

/** The pools of one chain after the swaps of these legs, one after another. */
export function graphAfterSwaps(graph: PoolGraph, legs: readonly LegSwap[]): PoolGraph {
  const changed = new Map<PoolId, Pool>()
  for (const { hops, amountIn } of legs.flatMap(({ route }) => route?.paths ?? [])) {
    let amount = amountIn
    for (const { pool, zeroForOne } of hops) {
      const now = changed.get(poolIdOf(pool)) ?? poolIn(graph, poolIdOf(pool))
      const swapped = now && swapExactInput(now, zeroForOne, amount)
      if (swapped === undefined) break
      changed.set(poolIdOf(pool), swapped.next)
      amount = swapped.amountOut
    }
  }
  return updateGraph(graph, [...changed.values()])
}
