import { chunksOf } from '#src/chains/chunksOf.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolKind.ts'
import { createGraph, type PoolGraph, regraph, updateGraph } from '#src/core/router/graph.ts'
import type { CurrencyChecks } from '#src/market/currencies/currencyChecks.ts'
import { inTurns } from '#src/market/reads/inTurns.ts'
import type { FactoryRefusals } from './verification/factoryRefusals.ts'

/** The graph of the pools that routes on one chain may use. */
export type RoutablePools = Readonly<{
  graph: () => PoolGraph
  accepts: (pool: Pool) => boolean
  /** Updates the states of pools that are in the graph and stay in it. */
  update: (changed: readonly Pool[]) => void
  /** Rebuilds the graph from the pools that routes may use. */
  rebuild: () => void
  /** Adds thousands of pools before `rebuild`, in several turns of the event loop. No pool may change meanwhile. */
  fill: () => Promise<void>
}>

type Deps = Readonly<{
  /** The pools at the head: a live view. */
  pools: ReadonlyMap<PoolId, Pool>
  checks: CurrencyChecks
  refusals: FactoryRefusals
  /** Whether the values that change without a log are known at the head. */
  isCurrent: (pool: PoolId) => boolean
}>

const poolsPerTurn = 1_500

export function createRoutablePools({ pools, checks, refusals, isCurrent }: Deps): RoutablePools {
  let graph = createGraph([])

  const accepts = (pool: Pool) =>
    refusals.accepts(pool) &&
    isCurrent(poolIdOf(pool)) &&
    checks.isAccepted(pool.currency0) &&
    checks.isAccepted(pool.currency1)

  const all = () => [...pools.values()].filter(accepts)

  return {
    graph: () => graph,
    accepts,
    update(changed) {
      const routable = changed.filter(accepts)
      if (routable.length > 0) graph = updateGraph(graph, routable)
    },
    rebuild() {
      graph = regraph(graph, all())
    },
    async fill() {
      await inTurns(chunksOf(all(), poolsPerTurn), async (some) => {
        graph = updateGraph(graph, some)
      })
    },
  }
}
