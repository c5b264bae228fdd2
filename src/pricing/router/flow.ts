import type { EdgePath } from './searchPaths.ts'
import { rateOf, type Trial, trialSwap, undoSwaps } from './trial.ts'

/** An amount, in floating point, on its way along several paths, which are swapped in their order. */
export type Flow = Readonly<{
  paths: readonly EdgePath[]
  /** By path. */
  inputs: Float64Array
}>

export const totalInput = ({ inputs }: Flow): number =>
  inputs.reduce((sum, input) => sum + input, 0)

/** Swaps all of it, from the state of the graph. Gives the total output. */
export function runFlow(trial: Trial, { paths, inputs }: Flow): number {
  for (const path of paths) for (const edge of path) undoSwaps(trial, edge)
  let output = 0
  for (let i = 0; i < paths.length; i++) {
    let amount = inputs[i] as number
    for (const edge of paths[i] as EdgePath) amount = trialSwap(trial, edge, amount)
    output += amount
  }
  return output
}

/** What one more unit of input would give on each path, as the pools stand now. */
export const ratesOf = (trial: Trial, paths: readonly EdgePath[]): Float64Array =>
  Float64Array.from(paths, (path) => pathRate(trial, path))

export const pathRate = (trial: Trial, path: EdgePath): number =>
  path.reduce((rate, edge) => rate * rateOf(trial, edge), 1)
