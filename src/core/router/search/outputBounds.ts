import { type PoolGraph, reverseEdge } from '#src/core/router/graph.ts'
import {
  capacitiesOf,
  edgeCapacity,
  type OutputFor,
  untouchedOutputs,
} from '#src/core/router/pools/edgeCapacity.ts'
import type { PoolSimulation } from '#src/core/router/pools/poolSimulation.ts'
import { ratesTo } from './rateTables.ts'
import type { PathSearch } from './searchPaths.ts'

/** The bounds of the latest output currency, which the asset pairs of an order share. */
const latestByGraph = new WeakMap<PoolGraph, Readonly<{ key: string; bounds: Float64Array }>>()

/**
 * By currency: upper bound on the output of any path of at most `hops` hops to `end`, for any input. A pool gives at
 * most its whole capacity, and the path behind it converts that at most at the best marginal rate.
 */
export function maxPathOutputsTo(graph: PoolGraph, end: number, hops: number): Float64Array {
  const key = `${end} ${hops}`
  const latest = latestByGraph.get(graph)
  if (latest?.key === key) return latest.bounds
  const rates = ratesTo(graph, end, hops)
  let bounds = new Float64Array(graph.topology.edgesFrom.length)
  bounds[end] = Number.POSITIVE_INFINITY
  for (let row = 1; row <= hops; row++) {
    const before = bounds
    const onward = rates[row - 1] as Float64Array
    bounds = before.map((bound, currency) =>
      Math.max(bound, widestHop(graph, currency, before, onward)),
    )
  }
  latestByGraph.set(graph, { key, bounds })
  return bounds
}

/** Upper bound on the output of any path from `input` to `output`, for any input. */
export const maxPathOutput = (graph: PoolGraph, { input, output, maxHops }: PathSearch): number =>
  widestHop(
    graph,
    input,
    maxPathOutputsTo(graph, output, maxHops - 1),
    ratesTo(graph, output, maxHops)[maxHops - 1] as Float64Array,
  )

/**
 * @param bounds by currency: upper bound on the output of the paths that continue from there.
 * @param rates by currency: the best marginal rate from there.
 */
function widestHop(
  graph: PoolGraph,
  currency: number,
  bounds: Float64Array,
  rates: Float64Array,
): number {
  const { offsets, edges, neighbours } = graph.topology.adjacency
  const { amountsOut } = capacitiesOf(graph)
  const last = offsets[currency + 1] as number
  let widest = 0
  for (let at = offsets[currency] as number; at < last; at++) {
    const next = neighbours[at] as number
    const arriving = (amountsOut[edges[at] as number] as number) * (rates[next] as number)
    widest = Math.max(widest, Math.min(arriving, bounds[next] as number))
  }
  return widest
}

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
export function maxRouteOutput(simulation: PoolSimulation, { input, output }: PathSearch): number {
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
