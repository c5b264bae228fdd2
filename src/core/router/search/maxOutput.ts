import {
  edgeCapacity,
  type OutputFor,
  untouchedOutputs,
} from '#src/core/router/pools/edgeCapacity.ts'
import type { PoolSimulation } from '#src/core/router/pools/poolSimulation.ts'
import { reverseEdge } from '#src/core/router/pools/topology.ts'
import type { PathSearch } from './searchPaths.ts'

/** More than any pool can take. */
const excessiveAmount = 2 ** 200
/** Allows for float rounding. */
const margin = 1 + 1e-6

/**
 * Upper bound on the output of any split between any paths, for any input. No route can sell more of a currency for the
 * output than the other pools of that currency can pay out. The bound also holds if a pool is used in both directions,
 * because it never pays out more than it holds.
 * @param simulation in the state of the graph.
 */
export function maxOutput(simulation: PoolSimulation, { input, output }: PathSearch): number {
  const { edgesFrom, outputs } = simulation.graph.topology
  const outputFor = untouchedOutputs(simulation)
  let total = 0
  const neighbours = new Set(edgesFrom[output]?.map((edge) => outputs[edge] as number))
  for (const currency of neighbours) {
    const edges = edgesFrom[currency] as readonly number[]
    const inward = edges.filter((edge) => outputs[edge] === output && simulation.closed[edge] === 0)
    if (inward.length === 0) continue
    const available =
      currency === input ? excessiveAmount : reservesElsewhere(simulation, edges, output, outputFor)
    for (const edge of inward) total += outputFor(edge, available)
  }
  return total * margin
}

/** Whether the pools of `output` together can pay out `amountOut`. Stops at the first pools that are enough. */
export function canPayOut({ graph }: PoolSimulation, output: number, amountOut: number): boolean {
  let total = 0
  for (const edge of graph.topology.edgesFrom[output] as readonly number[]) {
    total += edgeCapacity(graph, reverseEdge(edge)).amountOut
    if (total * margin >= amountOut) return true
  }
  return false
}

/** Upper bound on the amount of a currency that its pools can pay out, except its pools with `output`. */
function reservesElsewhere(
  simulation: PoolSimulation,
  edges: readonly number[],
  output: number,
  outputFor: OutputFor,
): number {
  const { outputs } = simulation.graph.topology
  let available = 0
  for (const edge of edges) {
    const reverse = reverseEdge(edge)
    if (outputs[edge] === output || simulation.closed[reverse] === 1) continue
    available += outputFor(reverse, excessiveAmount)
  }
  return available * margin
}
