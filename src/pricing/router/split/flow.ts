import {
  rateOf,
  type Trial,
  trialSwap,
  undoSwaps,
} from '#src/pricing/router/pools/poolSimulation.ts'
import type { EdgePath } from '#src/pricing/router/search/searchPaths.ts'

/** An amount, in floating point, on its way along several paths, which are swapped in their order. */
export type Flow = Readonly<{
  paths: readonly EdgePath[]
  /** By path. */
  inputs: Float64Array
}>

export const totalInput = ({ inputs }: Flow): number =>
  inputs.reduce((sum, input) => sum + input, 0)

/** The flow with all inputs changed by the same share, so that they add up to `total`. */
export function scaleFlow(flow: Flow, total: number): Flow {
  const factor = total / totalInput(flow)
  return { paths: flow.paths, inputs: flow.inputs.map((input) => input * factor) }
}

/**
 * The flow with further paths, unused so far. They come before its last path: that is the one it began with,
 * and mostly the largest.
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

/** Only those paths, which take over the input of the others. */
export function narrowFlow(flow: Flow, keeps: (path: number) => boolean): Flow {
  const kept = [...flow.paths.keys()].filter(keeps)
  const narrow = {
    paths: kept.map((path) => flow.paths[path] as EdgePath),
    inputs: Float64Array.from(kept, (path) => flow.inputs[path] as number),
  }
  return scaleFlow(narrow, totalInput(flow))
}

/** Swaps all of it, from the state of the graph. Gives the total output. */
export const runFlow = (trial: Trial, flow: Flow): number =>
  outputsOf(trial, flow).reduce((sum, output) => sum + output, 0)

/** All edges of the flow as they stand in the graph. */
export function undoFlow(trial: Trial, { paths }: Flow): void {
  for (const path of paths) for (const edge of path) undoSwaps(trial, edge)
}

/** The same, by path. */
export function outputsOf(trial: Trial, flow: Flow): Float64Array {
  undoFlow(trial, flow)
  const { paths, inputs } = flow
  return inputs.map((input, number) => {
    let amount = input
    for (const edge of paths[number] as EdgePath) amount = trialSwap(trial, edge, amount)
    return amount
  })
}

/** What the last unit of a flow that has been run gives, in the mean over its paths. */
export function marginalRate(trial: Trial, flow: Flow): number {
  const gains = flow.paths.map((path, i) => pathRate(trial, path) * (flow.inputs[i] as number))
  return gains.reduce((sum, gain) => sum + gain, 0) / totalInput(flow)
}

/** What one more unit of input would give on a path, as the pools stand now. */
const pathRate = (trial: Trial, path: EdgePath): number =>
  path.reduce((rate, edge) => rate * rateOf(trial, edge), 1)
