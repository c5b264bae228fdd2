import { type PoolSimulation, rateOf } from '#src/pricing/router/pools/poolSimulation.ts'
import { reverseEdge } from '#src/pricing/router/pools/topology.ts'

/** Start, end and direction of a path search. */
export type SearchEnds = Readonly<{
  /** Currencies by number. */
  start: number
  end: number
  maxHops: number
  /** 1 to search backwards from the output: the swap then uses the reverse of each edge followed. */
  flip: 0 | 1
}>

/**
 * Upper bounds on the exchange rate from a currency to the target, used to prune the search. Row n holds one bound per
 * currency for paths of at most n hops; 0 if no such path exists.
 */
export type RateBounds = readonly Float64Array[]

export const createRateBounds = (currencies: number, maxHops: number): RateBounds =>
  Array.from({ length: maxHops }, () => new Float64Array(currencies))

/**
 * Computes the bounds from the current marginal rates of the pools. A swap only lowers the rate of its pool, so the
 * rate of any amount is below the bound.
 * @returns the bound at the start.
 */
export function computeRateBounds(
  bounds: RateBounds,
  simulation: PoolSimulation,
  ends: SearchEnds,
): number {
  const { start, end, maxHops } = ends
  for (let hops = 0; hops < maxHops; hops++) {
    const row = bounds[hops] as Float64Array
    if (hops === 0) row.fill(0)
    else extendBounds(row, bounds[hops - 1] as Float64Array, simulation, ends)
    row[start] = 0
    row[end] = hops === 0 ? 1 : 0
  }
  return boundAtStart(bounds, simulation, ends)
}

/** Extends the bounds of `nearer` by one hop, backwards from the target. */
function extendBounds(
  row: Float64Array,
  nearer: Float64Array,
  simulation: PoolSimulation,
  ends: SearchEnds,
): void {
  const { edgesFrom, outputs } = simulation.graph.topology
  row.set(nearer)
  for (let next = 0; next < nearer.length; next++) {
    const rest = nearer[next] as number
    if (rest === 0) continue
    for (const backward of edgesFrom[next] as readonly number[]) {
      const edge = reverseEdge(backward) ^ ends.flip
      if (simulation.closed[edge] === 1) continue
      const currency = outputs[backward] as number
      const bound = rateOf(simulation, edge) * rest
      if (bound > (row[currency] as number)) row[currency] = bound
    }
  }
}

function boundAtStart(
  bounds: RateBounds,
  simulation: PoolSimulation,
  { start, end, maxHops, flip }: SearchEnds,
): number {
  const { edgesFrom, outputs } = simulation.graph.topology
  const behind = bounds[maxHops - 1] as Float64Array
  let best = 0
  for (const onward of edgesFrom[start] as readonly number[]) {
    const next = outputs[onward] as number
    const edge = onward ^ flip
    const rest = next === end ? 1 : (behind[next] as number)
    if (simulation.closed[edge] === 0) best = Math.max(best, rateOf(simulation, edge) * rest)
  }
  return best
}
