import { type PoolSimulation, rangesCrossed } from '#src/pricing/router/pools/poolSimulation.ts'
import { edgePathGas, type RouteTask, tickGasUnits } from '#src/pricing/router/search/routeTask.ts'
import { type Flow, narrowFlow } from './flow.ts'
import { type FlowResult, rebalance } from './rebalance.ts'

/**
 * Drops paths that do not earn their gas. Each path in turn, the smallest first, is dropped if the output after gas is
 * no lower without it.
 * @param start the result of a flow that has just been simulated.
 */
export function trimFlow(
  simulation: PoolSimulation,
  task: RouteTask,
  start: FlowResult,
): FlowResult {
  const { paths, inputs } = start.flow
  const smallestFirst = [...paths.keys()].sort(
    (one, other) => (inputs[one] as number) - (inputs[other] as number),
  )
  let best = start
  let net = netOutput(simulation, task, best)
  for (const dispensable of smallestFirst) {
    if (best.flow.paths.length === 1) break
    const current = best.flow.paths
    const narrow = narrowFlow(best.flow, (path) => current[path] !== paths[dispensable])
    const next = rebalance(simulation, narrow)
    const nextNet = netOutput(simulation, task, next)
    if (nextNet < net) continue
    best = next
    net = nextNet
  }
  return best
}

const netOutput = (
  simulation: PoolSimulation,
  { gasPrice }: RouteTask,
  { flow, output }: FlowResult,
): number => output - gasPrice * flowGas(simulation, flow)

/** Gas of a flow that has just been simulated. */
export function flowGas(simulation: PoolSimulation, { paths }: Flow): number {
  const crossed = [...new Set(paths.flat())].reduce(
    (sum, edge) => sum + rangesCrossed(simulation, edge),
    0,
  )
  return paths.reduce((gas, path) => gas + edgePathGas(simulation, path), crossed * tickGasUnits)
}
