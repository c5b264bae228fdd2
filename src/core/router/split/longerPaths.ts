import type { PoolSimulation } from '#src/core/router/pools/poolSimulation.ts'
import { ratesTo } from '#src/core/router/search/rateTables.ts'
import type { RouteTask } from '#src/core/router/search/routeTask.ts'
import { createPathSearch } from '#src/core/router/search/searchPaths.ts'
import { resetFlow, totalInput } from './flow.ts'
import type { FlowResult } from './rebalance.ts'
import { spreadFlow } from './spreadFlow.ts'

/** Minimum price impact of a flow before longer paths are searched for, as a share of the output at the best rate. */
const minImpact = 0.02

/**
 * The flow, spread further over paths of up to `furtherHops` hops. That search doubles the time, so it runs only for
 * amounts that move the price. `undefined` if it finds no longer path.
 */
export function addLongerPaths(
  simulation: PoolSimulation,
  task: RouteTask,
  { flow, output }: FlowResult,
): FlowResult | undefined {
  const { maxHops, furtherHops } = task
  const rate = ratesTo(simulation.graph, task.output, maxHops)[maxHops]?.[task.input] ?? 0
  if (furtherHops === maxHops || output >= totalInput(flow) * rate * (1 - minImpact))
    return undefined
  const finder = createPathSearch(simulation, { ...task, maxHops: furtherHops })
  const longer = spreadFlow(simulation, task, finder, flow)
  if (longer.flow.paths.some((path) => path.length > maxHops)) return longer
  resetFlow(simulation, longer.flow)
  return undefined
}
