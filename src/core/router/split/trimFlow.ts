import {
  type PoolSimulation,
  rangesCrossed,
  rateOf,
  simulateSwap,
} from '#src/core/router/pools/poolSimulation.ts'
import {
  type EdgePath,
  edgePathGas,
  type RouteTask,
  tickGasUnits,
} from '#src/core/router/search/searchPaths.ts'
import type { Steps } from '#src/core/steps.ts'
import { type Flow, narrowFlow, resetFlow } from './flow.ts'
import { type FlowResult, rebalance, tolerance } from './rebalance.ts'

/**
 * Maximum gas of the swaps of a route with several paths. A transaction may use 2^24 (EIP-7825), including the gas
 * around the swaps.
 */
export const maxFlowGas = 14_000_000

/**
 * Drops paths that do not earn their gas, and the smallest ones while all use more than `maxFlowGas`.
 * @param start the result of a flow that has just been simulated.
 */
export function* trimFlow(
  simulation: PoolSimulation,
  task: RouteTask,
  start: FlowResult,
): Steps<FlowResult> {
  return dropBeyondGas(simulation, yield* dropUnpaid(simulation, task, start))
}

export function dropBeyondGas(simulation: PoolSimulation, start: FlowResult): FlowResult {
  let best = start
  for (;;) {
    const { paths, inputs } = best.flow
    let excess = flowGas(simulation, best.flow) - maxFlowGas
    if (excess <= 0 || paths.length === 1) return best
    const dropped = new Set<number>()
    for (const path of smallestFirst(inputs).slice(0, -1)) {
      if (excess <= 0) break
      dropped.add(path)
      excess -= savedGas(simulation, best.flow, path)
    }
    best = rebalance(
      simulation,
      narrowFlow(best.flow, (path) => !dropped.has(path)),
    )
  }
}

/** Tries to drop each path, the smallest first. Drops it if the output after gas is no lower without it. */
function* dropUnpaid(
  simulation: PoolSimulation,
  task: RouteTask,
  start: FlowResult,
): Steps<FlowResult> {
  const { paths, inputs } = start.flow
  if (task.gasPrice === 0 || paths.length === 1) return start
  const untried = smallestFirst(inputs).map((place) => paths[place] as EdgePath)
  let best = start
  let net = netOutput(simulation, task, best)
  let minLosses = minLossesWithout(simulation, task, best.flow)
  while (untried.length > 0 && best.flow.paths.length > 1) {
    const { flow } = best
    const place = takeNext(untried, flow)
    if ((minLosses[place] as number) > 0) continue
    yield
    const narrower = narrowFlow(flow, (path) => path !== place)
    const minOutput = best.output - task.gasPrice * savedGas(simulation, flow, place)
    const next = rebalance(simulation, narrower, tolerance, 8, minOutput)
    const nextNet = netOutput(simulation, task, next)
    if (nextNet < net) continue
    best = next
    net = nextNet
    minLosses = minLossesWithout(simulation, task, best.flow)
  }
  return best
}

/**
 * Removes the next path to try from the list, and returns its place in the flow. A path whose input has all moved to
 * others comes first.
 */
function takeNext(untried: EdgePath[], { paths, inputs }: Flow): number {
  const empty = paths[inputs.indexOf(0)]
  const at = empty === undefined ? 0 : Math.max(0, untried.indexOf(empty))
  const [next] = untried.splice(at, 1)
  return paths.indexOf(next as EdgePath)
}

const smallestFirst = (inputs: Float64Array): number[] =>
  [...inputs.keys()].sort((one, other) => (inputs[one] as number) - (inputs[other] as number))

const netOutput = (
  simulation: PoolSimulation,
  { gasPrice }: RouteTask,
  { flow, output }: FlowResult,
): number => output - gasPrice * flowGas(simulation, flow)

/** About the gas that a flow saves without a path. The simulation is in the state after the flow. */
function savedGas(simulation: PoolSimulation, { paths }: Flow, place: number): number {
  const path = paths[place] as EdgePath
  const crossed = path.reduce((sum, edge) => sum + rangesCrossed(simulation, edge), 0)
  return edgePathGas(simulation, path) + crossed * tickGasUnits
}

/** Gas of a flow that has just been simulated. */
export function flowGas(simulation: PoolSimulation, { paths }: Flow): number {
  const crossed = [...new Set(paths.flat())].reduce(
    (sum, edge) => sum + rangesCrossed(simulation, edge),
    0,
  )
  return paths.reduce((gas, path) => gas + edgePathGas(simulation, path), crossed * tickGasUnits)
}

/** Allows for marginal rates that are not quite equal, and for ticks that other paths no longer cross. */
const certainty = 0.5

/**
 * By path: lower bound on the loss of output after gas without the path, if all paths have the same marginal rate. By
 * the dual bound (see `routeAmountBounds`) at these rates, the output falls by the surplus of the pools that no other
 * path uses: their output less their input at the marginal rate. The saved gas is about that of the hops of the path.
 */
function minLossesWithout(
  simulation: PoolSimulation,
  { gasPrice }: RouteTask,
  flow: Flow,
): Float64Array {
  const uses = new Map<number, number>()
  for (const path of flow.paths) for (const edge of path) uses.set(edge, (uses.get(edge) ?? 0) + 1)
  resetFlow(simulation, flow)
  const gains = flow.paths.map((path, number) => {
    let amount = flow.inputs[number] as number
    return path.map((edge) => {
      const amountIn = amount
      amount = simulateSwap(simulation, edge, amountIn)
      return uses.get(edge) === 1 ? amount - rateOf(simulation, edge) * amountIn : 0
    })
  })
  return Float64Array.from(flow.paths, (path, number) => {
    let gained = 0
    let onward = 1
    let crossed = 0
    for (let hop = path.length - 1; hop >= 0; hop--) {
      const edge = path[hop] as number
      gained += ((gains[number] as number[])[hop] as number) * onward
      onward *= rateOf(simulation, edge)
      crossed += rangesCrossed(simulation, edge)
    }
    return gained * certainty - gasPrice * (edgePathGas(simulation, path) + crossed * tickGasUnits)
  })
}
