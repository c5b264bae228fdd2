import { type Pool, swapExactInput } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf, type SwapMode } from '#src/core/pools/poolKind.ts'
import type { Market } from '#src/core/pricing/market.ts'
import { type PoolGraph, poolIn, updateGraph } from '#src/core/router/graph.ts'
import { pausingBefore } from '#src/core/steps.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type LegSwap, type LegTask, swapLeg } from './leg.ts'

/** A sequence of swaps, each on the pools of its chain after the swaps before it. */
export type SwapSequence = Readonly<{
  /** The next swap, without adding it; `undefined` if the pools do not connect the two with enough liquidity. */
  swap: (
    task: LegTask,
    mode: SwapMode,
    amount: Amount,
    /** See `swapLeg`. */
    plannedFor?: Amount,
  ) => LegSwap | undefined
  /** Whether no swap in the sequence trades in a pool of `leg`. */
  isUnaffected: (task: LegTask, leg: LegSwap) => boolean
  /** Adds a swap to the sequence. */
  append: (task: LegTask, leg: LegSwap) => void
}>

export function createSwapSequence(): SwapSequence {
  const appended = new Map<ChainId, readonly LegSwap[]>()
  const graphs = new Map<ChainId, GraphAfter>()

  function taskAfterSwaps(task: LegTask): LegTask {
    const { chain, graph } = task.market
    const legs = appended.get(chain.id)
    if (legs === undefined) return task
    const before = graphs.get(chain.id) ?? { graph, count: 0 }
    const after = {
      graph: pausingBefore(() => graphAfterSwaps(before.graph, legs.slice(before.count))),
      count: legs.length,
    }
    graphs.set(chain.id, after)
    return { ...task, market: { ...task.market, graph: after.graph } }
  }

  return {
    swap: (task, mode, amount, plannedFor) =>
      swapLeg(taskAfterSwaps(task), mode, amount, plannedFor),
    isUnaffected: (task, leg) =>
      !(appended.get(task.market.chain.id) ?? []).some((each) => sharePools(leg, each)),
    append: ({ market: { chain } }, leg) => {
      if (leg.route !== undefined) appended.set(chain.id, [...(appended.get(chain.id) ?? []), leg])
    },
  }
}

/** The pools of a chain after the first `count` swaps of the sequence there. */
type GraphAfter = Readonly<{ graph: LegTask['market']['graph']; count: number }>

/** Whether two swaps trade in the same pool. */
export function sharePools(one: LegSwap, other: LegSwap): boolean {
  if (one.route === undefined || other.route === undefined) return false
  const pools = new Set(poolsOf(one))
  return poolsOf(other).some((pool) => pools.has(pool))
}

const poolsOf = ({ route }: LegSwap): readonly PoolId[] =>
  route?.paths.flatMap(({ hops }) => hops.map(({ pool }) => poolIdOf(pool))) ?? []

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
function graphAfterSwaps(graph: PoolGraph, legs: readonly LegSwap[]): PoolGraph {
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
