import { outputFor, type Trial } from '#src/pricing/router/pools/poolSimulation.ts'
import type { PathSearch } from './searchPaths.ts'

/** More than fits any pool. */
const flood = 2 ** 200
/** For what floating point rounds off. */
const margin = 1 + 1e-6

/**
 * What no division between any paths exceeds, whatever is paid in: all that the pools of the output can pay for all
 * that the other pools hold of what they are paid in. A pool may be gone through both ways, and
 * still the others get no more out of it than it holds.
 */
export function mostOutput(trial: Trial, { input, output }: PathSearch): number {
  const { edgesFrom, outputs } = trial.graph.topology
  let most = 0
  for (let currency = 0; currency < edgesFrom.length; currency++) {
    const edges = edgesFrom[currency] as readonly number[]
    const inward = edges.filter((edge) => outputs[edge] === output && trial.closed[edge] === 0)
    if (currency === output || inward.length === 0) continue
    const held = currency === input ? flood : heldElsewhere(trial, edges, output)
    for (const edge of inward) most += outputFor(trial, edge, held)
  }
  return most * margin
}

/** What the pools of a currency can pay of it, but for those that join it to `output`. */
function heldElsewhere(trial: Trial, edges: readonly number[], output: number): number {
  const { outputs } = trial.graph.topology
  let held = 0
  for (const edge of edges) {
    const reverse = edge ^ 1
    if (outputs[edge] === output || trial.closed[reverse] === 1) continue
    held += outputFor(trial, reverse, flood)
  }
  return held * margin
}
