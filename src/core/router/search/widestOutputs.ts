import type { PoolGraph } from '#src/core/router/graph.ts'
import { capacitiesOf } from '#src/core/router/pools/edgeCapacity.ts'
import { ratesTo } from './rateTables.ts'
import type { PathSearch } from './searchPaths.ts'

/** The bounds of the latest output currency, which the bridges of an order share. */
const latestByGraph = new WeakMap<PoolGraph, Readonly<{ key: string; bounds: Float64Array }>>()

/**
 * By currency: upper bound on the output of any path of at most `hops` hops to `end`, for any input. A pool gives at
 * most its whole capacity, and the path behind it converts that at most at the best marginal rate.
 */
export function widestOutputsTo(graph: PoolGraph, end: number, hops: number): Float64Array {
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
export const widestOutput = (graph: PoolGraph, { input, output, maxHops }: PathSearch): number =>
  widestHop(
    graph,
    input,
    widestOutputsTo(graph, output, maxHops - 1),
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
