import {
  type PoolSimulation,
  rateOf,
  resetEdge,
  simulateSwap,
} from '#src/core/router/pools/poolSimulation.ts'
import type { EdgePath } from '#src/core/router/search/searchPaths.ts'

/** An input amount, in floating point, split between several paths. The paths are swapped in order. */
export type Flow = Readonly<{
  paths: readonly EdgePath[]
  /** By path. */
  inputs: Float64Array
}>

export function totalInput({ inputs }: Flow): number {
  let total = 0
  for (let path = 0; path < inputs.length; path++) total += inputs[path] as number
  return total
}

/** The flow with all inputs scaled so that they add up to `total`. At least one of them must be positive. */
export function scaleFlow(flow: Flow, total: number): Flow {
  const factor = total / totalInput(flow)
  return { paths: flow.paths, inputs: flow.inputs.map((input) => input * factor) }
}

/**
 * The flow with further paths whose input is 0. They come before the last path, which is the first path that was found
 * and usually the largest.
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

/** The flow with fewer paths, scaled to the same total input. If these paths had no input, they share it evenly. */
export function narrowFlow(flow: Flow, keeps: (path: number) => boolean): Flow {
  const used = [...flow.paths.keys()].filter(keeps)
  const narrow = {
    paths: used.map((path) => flow.paths[path] as EdgePath),
    inputs: Float64Array.from(used, (path) => flow.inputs[path] as number),
  }
  if (totalInput(narrow) === 0) narrow.inputs.fill(1)
  return scaleFlow(narrow, totalInput(flow))
}

/** Simulates the flow from the state of the graph. Returns the total output. */
export function simulateFlow(simulation: PoolSimulation, flow: Flow): number {
  resetFlow(simulation, flow)
  let output = 0
  for (let path = 0; path < flow.paths.length; path++)
    output += simulatePath(simulation, flow, path)
  return output
}

function simulatePath(simulation: PoolSimulation, { paths, inputs }: Flow, path: number): number {
  let amount = inputs[path] as number
  for (const edge of paths[path] as EdgePath) amount = simulateSwap(simulation, edge, amount)
  return amount
}

/** Resets all edges of the flow to their state in the graph. */
export function resetFlow(simulation: PoolSimulation, { paths }: Flow): void {
  for (const path of paths) for (const edge of path) resetEdge(simulation, edge)
}

/** Simulates the flow from the state of the graph. Returns the output by path. */
export function outputsOf(simulation: PoolSimulation, flow: Flow): Float64Array {
  resetFlow(simulation, flow)
  return Float64Array.from(flow.paths, (_, path) => simulatePath(simulation, flow, path))
}

/** The marginal rate of a flow that has just been simulated: the mean over its paths, weighted by input. */
export function marginalRate(simulation: PoolSimulation, flow: Flow): number {
  let gain = 0
  for (let i = 0; i < flow.paths.length; i++)
    gain += pathRate(simulation, flow.paths[i] as EdgePath) * (flow.inputs[i] as number)
  return gain / totalInput(flow)
}

/** The marginal rate of a path in the current state of the pools. */
function pathRate(simulation: PoolSimulation, path: EdgePath): number {
  let rate = 1
  for (const edge of path) rate *= rateOf(simulation, edge)
  return rate
}
