import type { CurrencyChecks } from '#src/market/currencies/currencyChecks.ts'
import { chunksOf, inTurns } from '#src/market/reads/inTurns.ts'
import type { Pool } from '#src/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/pools/poolIdentity.ts'
import { createGraph, type PoolGraph, regraph, updateGraph } from '#src/pricing/router/graph.ts'
import type { FactoryRefusals } from './verification/factoryRefusals.ts'

/** Of the pools of one chain those that may be used, in a graph. */
export type RoutablePools = Readonly<{
  graph: () => PoolGraph
  accepts: (pool: Pool) => boolean
  /** Takes over new states of pools that were and stay in the graph. */
  update: (changed: readonly Pool[]) => void
  /** Takes over which pools there are, and may be used, in which states. */
  rebuild: () => void
  /** Adds pools in turns of the event loop, before `rebuild`: for thousands of them, while none changes. */
  fill: () => Promise<void>
}>

type Deps = Readonly<{
  /** At the head. A live view. */
  pools: ReadonlyMap<PoolId, Pool>
  checks: Pick<CurrencyChecks, 'isAccepted'>
  refusals: Pick<FactoryRefusals, 'accepts'>
  /** Whether everything is known of its state that no log tells. */
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
