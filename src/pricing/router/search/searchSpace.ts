import { type PoolSimulation, rateOf } from '#src/pricing/router/pools/poolSimulation.ts'
import { edgeRates, type RateTable, ratesFrom, ratesTo } from './rateTables.ts'

/** Start, end and direction of a path search. */
export type SearchEnds = Readonly<{
  /** Currencies by number. */
  start: number
  end: number
  maxHops: number
  /** 1 to search backwards from the output: then it follows edges against the direction of the swap. */
  flip: 0 | 1
}>

/** Factors, at most 1, by which edges lower the value of a path. */
export type EdgeDiscount = Readonly<{
  of: (edge: number) => number
  /** The largest one of all edges. */
  most: number
}>

const noDiscount: EdgeDiscount = { of: () => 1, most: 1 }

/** The edges of which some path may beat a rate, whatever the pools' state in the simulation. */
type Candidates = {
  /** Undefined before the first narrowing. */
  minRate: number | undefined
  count: number
  edges: Int32Array
  /** By place: the best rate of a path through the edge, in the state of the graph. */
  pathRates: Float64Array
  /** The currencies that the edges leave, ascending, of which the first `currencyCount` are filled in. */
  currencies: Int32Array
  currencyCount: number
}

/**
 * The part of the graph in which a search looks for paths that beat a rate. Edges are numbered in the direction of the
 * swap. The edges that leave a currency are a linked list.
 */
export type SearchSpace = Readonly<{
  candidates: Candidates
  /** By currency that candidates leave: its first edge; -1 if there is none. */
  firstEdge: Int32Array
  /** By edge: the next one from the same currency; -1 after the last one. */
  nextEdge: Int32Array
  /** The edges, of which the first `count` are in use; and the most by which each multiplies the value of a path. */
  edges: Int32Array
  factors: Float64Array
  /**
   * Upper bounds on the value that one unit at a currency reaches at the end. Row n is for at most n hops, fewer than
   * the longest path has.
   */
  bounds: RateTable
}>

export function createSearchSpace(
  { graph: { topology } }: PoolSimulation,
  maxHops: number,
): SearchSpace {
  const edges = topology.inputs.length
  const currencies = topology.edgesFrom.length
  return {
    candidates: {
      minRate: undefined,
      count: 0,
      edges: new Int32Array(edges),
      pathRates: new Float64Array(edges),
      currencies: new Int32Array(currencies),
      currencyCount: 0,
    },
    firstEdge: new Int32Array(currencies).fill(-1),
    nextEdge: new Int32Array(edges),
    edges: new Int32Array(edges),
    factors: new Float64Array(edges),
    bounds: Array.from({ length: maxHops }, () => new Float64Array(currencies)),
  }
}

/** The best rates from a currency to the end of the search, in the state of the graph. */
export const ratesToEnd = (
  { graph }: PoolSimulation,
  { end, maxHops, flip }: SearchEnds,
): RateTable => (flip === 0 ? ratesTo(graph, end, maxHops) : ratesFrom(graph, end, maxHops))

const ratesToStart = (
  { graph }: PoolSimulation,
  { start, maxHops, flip }: SearchEnds,
): RateTable => (flip === 0 ? ratesFrom(graph, start, maxHops) : ratesTo(graph, start, maxHops))

/** Allows for float rounding before the search drops an edge or a label by its bound. */
export const roundingUp = 1 + 1e-9

/**
 * Keeps the edges that are part of a path whose rate in the state of the graph exceeds `minRate`, and bounds their
 * rates in the state of the simulation.
 * @returns the bound at the start.
 */
export function narrowSpace(
  space: SearchSpace,
  simulation: PoolSimulation,
  ends: SearchEnds,
  minRate: number,
  discount = noDiscount,
): number {
  const bar = minRate / roundingUp
  const { candidates } = space
  if (candidates.minRate === undefined || bar < candidates.minRate)
    findCandidates(space, simulation, ends, bar)
  const count = keepEdges(space, simulation, ends, bar, discount)
  const { edges, factors, bounds, firstEdge, nextEdge } = space
  const { inputs, outputs } = simulation.graph.topology
  const [near, far] = ends.flip === 0 ? [inputs, outputs] : [outputs, inputs]
  const first = bounds[0] as Float64Array
  first.fill(0)
  first[ends.end] = 1
  for (let hops = 1; hops < ends.maxHops; hops++) {
    const before = bounds[hops - 1] as Float64Array
    const row = bounds[hops] as Float64Array
    row.set(before)
    for (let at = 0; at < count; at++) {
      const edge = edges[at] as number
      const value = (factors[at] as number) * (before[far[edge] as number] as number)
      const currency = near[edge] as number
      if (value > (row[currency] as number)) row[currency] = value
    }
  }
  const last = bounds[ends.maxHops - 1] as Float64Array
  let most = last[ends.start] as number
  for (let edge = firstEdge[ends.start] as number; edge >= 0; edge = nextEdge[edge] as number) {
    const factor = rateOf(simulation, edge) * discount.of(edge)
    most = Math.max(most, factor * (last[far[edge] as number] as number))
  }
  return most
}

function findCandidates(
  { candidates, firstEdge }: SearchSpace,
  simulation: PoolSimulation,
  ends: SearchEnds,
  bar: number,
): void {
  const { graph } = simulation
  const { inputs, outputs, edgesFrom } = graph.topology
  const { start, end, maxHops, flip } = ends
  const far = flip === 0 ? outputs : inputs
  const rates = edgeRates(graph)
  const toStart = ratesToStart(simulation, ends)
  const toEnd = ratesToEnd(simulation, ends)
  // The last rows of the tables are the quicker, looser bounds.
  const mostToStart = toStart[maxHops] as Float64Array
  const mostToEnd = toEnd[maxHops] as Float64Array
  let count = 0
  let currencyCount = 0
  firstEdge.fill(-1)
  for (let from = 0; from < edgesFrom.length; from++) {
    const fromStart = mostToStart[from] as number
    if (from === end || fromStart * (mostToEnd[from] as number) <= bar) continue
    if (rateThrough(toStart, from, toEnd, from, maxHops) <= bar) continue
    const onward = edgesFrom[from] as readonly number[]
    const countBefore = count
    for (let at = onward.length - 1; at >= 0; at--) {
      const edge = (onward[at] as number) ^ flip
      const to = far[edge] as number
      if (to === start) continue
      const rate = rates[edge] as number
      if (rate * fromStart * (mostToEnd[to] as number) <= bar) continue
      const pathRate = rate * rateThrough(toStart, from, toEnd, to, maxHops - 1)
      if (pathRate <= bar) continue
      candidates.edges[count] = edge
      candidates.pathRates[count++] = pathRate
    }
    if (count > countBefore) candidates.currencies[currencyCount++] = from
  }
  candidates.minRate = bar
  candidates.count = count
  candidates.currencyCount = currencyCount
}

/** The best rate to the start from one currency times that to the end from another one, along so many hops together. */
function rateThrough(
  toStart: RateTable,
  one: number,
  toEnd: RateTable,
  other: number,
  maxHops: number,
): number {
  let best = 0
  for (let hops = 0; hops <= maxHops; hops++) {
    const rate =
      ((toStart[hops] as Float64Array)[one] as number) *
      ((toEnd[maxHops - hops] as Float64Array)[other] as number)
    if (rate > best) best = rate
  }
  return best
}

/** Returns the number of edges. */
function keepEdges(
  { candidates, edges, factors, firstEdge, nextEdge }: SearchSpace,
  simulation: PoolSimulation,
  { start, end, flip }: SearchEnds,
  bar: number,
  discount: EdgeDiscount,
): number {
  const { graph, closed } = simulation
  const { inputs, outputs } = graph.topology
  const [near, far] = flip === 0 ? [inputs, outputs] : [outputs, inputs]
  let count = 0
  for (let at = 0; at < candidates.currencyCount; at++)
    firstEdge[candidates.currencies[at] as number] = -1
  for (let at = 0; at < candidates.count; at++) {
    const edge = candidates.edges[at] as number
    const pathRate = candidates.pathRates[at] as number
    if (pathRate <= bar || closed[edge] === 1) continue
    const from = near[edge] as number
    const discounted = discount.of(edge)
    const before = from === start ? 1 : discount.most
    const after = far[edge] === end ? 1 : discount.most
    if (pathRate * before * discounted * after <= bar) continue
    factors[count] = rateOf(simulation, edge) * discounted
    edges[count++] = edge
    nextEdge[edge] = firstEdge[from] as number
    firstEdge[from] = edge
  }
  return count
}
