import {
  type PoolSimulation,
  rateOf,
  resetEdge,
  simulateSwap,
} from '#src/pricing/router/pools/poolSimulation.ts'
import type { EdgePath } from '#src/pricing/router/search/searchPaths.ts'

/** An input amount, in floating point, split between several paths. The paths are swapped in order. */
export type Flow = Readonly<{
  paths: readonly EdgePath[]
  /** By path. */
  inputs: Float64Array
}>

export const totalInput = ({ inputs }: Flow): number =>
  inputs.reduce((sum, input) => sum + input, 0)

/** The flow with all inputs scaled so that they add up to `total`. */
export function scaleFlow(flow: Flow, total: number): Flow {
  const factor = total / totalInput(flow)
  return { paths: flow.paths, inputs: flow.inputs.map((input) => input * factor) }
}

/**
 * The flow with further paths whose input is 0. They come before the last path, which is the first path found and
 * mostly the largest.
 */
export function widenFlow({ paths, inputs }: Flow, added: readonly EdgePath[]): Flow {
  const wider = new Float64Array(inputs.length + added.length)
  wider.set(inputs.subarray(0, -1))
  wider.set(inputs.subarray(-1), wider.length - 1)
  return { paths: [...paths.slice(0, -1), ...added, ...paths.slice(-1)], inputs: wider }
}

/** The flow with its largest path moved to the end. */
export function endWithLargest({ paths, inputs }: Flow): Flow {
  const order = [...paths.keys()]
  const largest = order.reduce((one, other) =>
    (inputs[other] as number) > (inputs[one] as number) ? other : one,
  )
  order.push(...order.splice(largest, 1))
  return {
    paths: order.map((path) => paths[path] as EdgePath),
    inputs: Float64Array.from(order, (path) => inputs[path] as number),
  }
}

/** The flow with fewer paths, scaled to the same total input. */
export function narrowFlow(flow: Flow, keeps: (path: number) => boolean): Flow {
  const used = [...flow.paths.keys()].filter(keeps)
  const narrow = {
    paths: used.map((path) => flow.paths[path] as EdgePath),
    inputs: Float64Array.from(used, (path) => flow.inputs[path] as number),
  }
  return scaleFlow(narrow, totalInput(flow))
}

/** Simulates the flow from the state of the graph. Returns the total output. */
export const simulateFlow = (simulation: PoolSimulation, flow: Flow): number =>
  outputsOf(simulation, flow).reduce((sum, output) => sum + output, 0)

/** Resets all edges of the flow to their state in the graph. */
export function resetFlow(simulation: PoolSimulation, { paths }: Flow): void {
  for (const path of paths) for (const edge of path) resetEdge(simulation, edge)
}

/** Simulates the flow from the state of the graph. Returns the output by path. */
export function outputsOf(simulation: PoolSimulation, flow: Flow): Float64Array {
  resetFlow(simulation, flow)
  const { paths, inputs } = flow
  return inputs.map((input, number) => {
    let amount = input
    for (const edge of paths[number] as EdgePath) amount = simulateSwap(simulation, edge, amount)
    return amount
  })
}

/** The marginal rate of a flow that has just been simulated: the mean over its paths, weighted by input. */
export function marginalRate(simulation: PoolSimulation, flow: Flow): number {
  const gains = flow.paths.map((path, i) => pathRate(simulation, path) * (flow.inputs[i] as number))
  return gains.reduce((sum, gain) => sum + gain, 0) / totalInput(flow)
}

/** The marginal rate of a path in the current state of the pools. */
const pathRate = (simulation: PoolSimulation, path: EdgePath): number =>
  path.reduce((rate, edge) => rate * rateOf(simulation, edge), 1)
