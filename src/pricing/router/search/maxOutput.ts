import { outputFor, type PoolSimulation } from '#src/pricing/router/pools/poolSimulation.ts'
import type { PathSearch } from './searchPaths.ts'

/** More than any pool can take. */
const excessiveAmount = 2 ** 200
/** Allows for float rounding. */
const margin = 1 + 1e-6

/**
 * Upper bound on the output of any split between any paths, for any input. Each neighbour currency of the output can be
 * sold for at most as much of it as all other pools can pay out. The bound also holds if a pool is used in both
 * directions, because it never pays out more than it holds.
 */
export function maxOutput(simulation: PoolSimulation, { input, output }: PathSearch): number {
  const { edgesFrom, outputs } = simulation.graph.topology
  let total = 0
  for (let currency = 0; currency < edgesFrom.length; currency++) {
    const edges = edgesFrom[currency] as readonly number[]
    const inward = edges.filter((edge) => outputs[edge] === output && simulation.closed[edge] === 0)
    if (currency === output || inward.length === 0) continue
    const available =
      currency === input ? excessiveAmount : reservesElsewhere(simulation, edges, output)
    for (const edge of inward) total += outputFor(simulation, edge, available)
  }
  return total * margin
}

/** How much of a currency its pools can pay out, except for its pools with `output`. */
function reservesElsewhere(
  simulation: PoolSimulation,
  edges: readonly number[],
  output: number,
): number {
  const { outputs } = simulation.graph.topology
  let available = 0
  for (const edge of edges) {
    const reverse = edge ^ 1
    if (outputs[edge] === output || simulation.closed[reverse] === 1) continue
    available += outputFor(simulation, reverse, excessiveAmount)
  }
  return available * margin
}
