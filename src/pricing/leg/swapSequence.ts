import type { SwapMode } from '#src/pools/pool.ts'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { type LegSwap, type LegTask, swapLeg } from './leg.ts'
import { graphAhead } from './marketAfterSwaps.ts'

/** Swaps that are made one after the other, each on the pools of its chain as those before it leave them. */
export type SwapsAhead = Readonly<{
  /** As the next one; `undefined` where the pools do not join the two deeply enough. */
  swap: (task: LegTask, kind: SwapMode, amount: Amount) => LegSwap | undefined
  /** Whether a swap that was found before any of them still does what it did. */
  bears: (task: LegTask, leg: LegSwap) => boolean
  /** Has it made before all that follow. */
  take: (task: LegTask, leg: LegSwap) => void
}>

export function createSwapsAhead(): SwapsAhead {
  const taken = new Map<ChainId, readonly LegSwap[]>()
  const graphs = new Map<readonly LegSwap[], LegTask['market']['graph']>()

  function taskAhead(task: LegTask): LegTask {
    const legs = taken.get(task.market.chain.id)
    if (legs === undefined) return task
    const graph = graphs.get(legs) ?? graphAhead(task.market.graph, legs)
    graphs.set(legs, graph)
    return { ...task, market: { ...task.market, graph } }
  }

  return {
    swap: (task, kind, amount) => {
      return swapLeg(taskAhead(task), kind, amount)
    },
    bears: (task, leg) =>
      !(taken.get(task.market.chain.id) ?? []).some((each) => sharePools(leg, each)),
    take: ({ market: { chain } }, leg) => {
      if (leg.route !== undefined) taken.set(chain.id, [...(taken.get(chain.id) ?? []), leg])
    },
  }
}

/** Whether two swaps trade in one pool. */
export function sharePools(one: LegSwap, other: LegSwap): boolean {
  if (one.route === undefined || other.route === undefined) return false
  const pools = new Set(poolsOf(one))
  return poolsOf(other).some((pool) => pools.has(pool))
}

const poolsOf = ({ route }: LegSwap): readonly Address[] =>
  route?.paths.flatMap(({ hops }) => hops.map(({ pool }) => pool.address)) ?? []
