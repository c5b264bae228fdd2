import {
  closeReverse,
  closeUsed,
  type PoolSimulation,
} from '#src/core/router/pools/poolSimulation.ts'
import { poolOfEdge } from '#src/core/router/pools/topology.ts'
import type { RouteTask } from '#src/core/router/search/routeTask.ts'
import type { PathFinder } from '#src/core/router/search/searchPaths.ts'
import { type Flow, narrowFlow, resetFlow } from './flow.ts'
import type { FlowResult } from './rebalance.ts'
import { spreadFlow } from './spreadFlow.ts'

/**
 * Another flow, which may give more if one path uses a pool whose fee moves and other paths could use it too. Such a
 * pool serves one path only, the first one that was found. That path is the best one for the whole input, but often not
 * for its part.
 *
 * The flow first spreads as if paths could share such pools. Then each of these pools goes to the path with the largest
 * input, and the rest spreads again without sharing. `undefined` if sharing would gain nothing.
 */
export function reassignPools(
  simulation: PoolSimulation,
  task: RouteTask,
  finder: PathFinder,
  { flow, output }: FlowResult,
): FlowResult | undefined {
  const { movingFees } = simulation.graph.topology
  if (movingFees === undefined || !flow.paths.some((path) => isAmong(path, movingFees)))
    return undefined
  const share = (start: Flow, maxRounds: number) =>
    spreadFlow(simulation, task, finder, start, { close: closeReverse, maxRounds })
  const probed = share(flow, probingRounds)
  const isProbed = probed.output >= output * (1 + minGain)
  const shared = isProbed ? share(probed.flow, sharingRounds) : probed
  resetFlow(simulation, shared.flow)
  const assigned = isProbed ? assignPools(shared.flow, movingFees) : undefined
  return assigned && spreadFlow(simulation, task, finder, assigned, { close: closeUsed })
}

/** Minimum gain of sharing in its first rounds, as a share of the output: a tenth of a basis point. */
const minGain = 1e-5
const probingRounds = 2
const sharingRounds = 8

/** Whether a path uses one of the pools. */
const isAmong = (path: readonly number[], pools: Uint8Array): boolean =>
  path.some((edge) => pools[poolOfEdge(edge)] === 1)

/** The flow without the paths that share a pool with a larger one. `undefined` if none does. */
function assignPools(flow: Flow, movingFees: Uint8Array): Flow | undefined {
  const largestFirst = [...flow.paths.keys()].sort(
    (one, other) => (flow.inputs[other] as number) - (flow.inputs[one] as number),
  )
  const taken = new Uint8Array(movingFees.length)
  const kept = new Set<number>()
  for (const number of largestFirst) {
    const path = flow.paths[number] as readonly number[]
    if (isAmong(path, taken)) continue
    for (const edge of path) taken[poolOfEdge(edge)] = movingFees[poolOfEdge(edge)] as number
    kept.add(number)
  }
  return kept.size === flow.paths.length ? undefined : narrowFlow(flow, (path) => kept.has(path))
}
