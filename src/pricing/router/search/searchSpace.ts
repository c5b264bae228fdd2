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

/** The factor, at most 1, by which an edge lowers the value of a path. */
export type EdgeDiscount = (edge: number) => number

/**
 * The part of the graph in which a search looks for paths that beat a rate. Edges are numbered in the direction of the
 * swap. The edges that leave a currency are a linked list.
 */
export type SearchSpace = Readonly<{
  /** By currency: its first edge; -1 if there is none. */
  firstEdge: Int32Array
  /** By edge: the next one from the same currency; -1 after the last one. */
  nextEdge: Int32Array
  /** The edges, of which the first `count` are in use. */
  edges: Int32Array
  /** Upper bounds on the value that one unit at a currency reaches at the end. Row n is for at most n hops. */
  bounds: RateTable
}>

export const createSearchSpace = (
  { graph: { topology } }: PoolSimulation,
  maxHops: number,
): SearchSpace => ({
  firstEdge: new Int32Array(topology.edgesFrom.length),
  nextEdge: new Int32Array(topology.inputs.length),
  edges: new Int32Array(topology.inputs.length),
  bounds: Array.from({ length: maxHops + 1 }, () => new Float64Array(topology.edgesFrom.length)),
})

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
  discount: EdgeDiscount | undefined,
): number {
  const count = keepEdges(space, simulation, ends, minRate)
  const { edges, bounds } = space
  const { inputs, outputs } = simulation.graph.topology
  const [near, far] = ends.flip === 0 ? [inputs, outputs] : [outputs, inputs]
  const first = bounds[0] as Float64Array
  first.fill(0)
  first[ends.end] = 1
  for (let hops = 1; hops <= ends.maxHops; hops++) {
    const before = bounds[hops - 1] as Float64Array
    const row = bounds[hops] as Float64Array
    row.set(before)
    for (let at = 0; at < count; at++) {
      const edge = edges[at] as number
      const rest = before[far[edge] as number] as number
      if (rest === 0) continue
      const rate = rateOf(simulation, edge) * (discount === undefined ? 1 : discount(edge))
      const currency = near[edge] as number
      if (rate * rest > (row[currency] as number)) row[currency] = rate * rest
    }
  }
  return bounds[ends.maxHops]?.[ends.start] as number
}

/** Returns the number of edges. */
function keepEdges(
  { edges, firstEdge, nextEdge }: SearchSpace,
  simulation: PoolSimulation,
  ends: SearchEnds,
  minRate: number,
): number {
  const { graph, closed } = simulation
  const { inputs, outputs } = graph.topology
  const { start, end, flip } = ends
  const [near, far] = flip === 0 ? [inputs, outputs] : [outputs, inputs]
  const rates = edgeRates(graph)
  const toStart = ratesToStart(simulation, ends)
  const toEnd = ratesToEnd(simulation, ends)
  const bar = minRate / roundingUp
  let count = 0
  firstEdge.fill(-1)
  for (let edge = rates.length - 1; edge >= 0; edge--) {
    const from = near[edge] as number
    const to = far[edge] as number
    if (closed[edge] === 1 || from === end || to === start) continue
    if (!beats(bar / (rates[edge] as number), toStart, from, toEnd, to, ends.maxHops)) continue
    edges[count++] = edge
    nextEdge[edge] = firstEdge[from] as number
    firstEdge[from] = edge
  }
  return count
}

/** Whether a path through an edge has more than `bar` on the other edges, for some number of hops before it. */
function beats(
  bar: number,
  toStart: RateTable,
  from: number,
  toEnd: RateTable,
  to: number,
  maxHops: number,
): boolean {
  for (let hops = 0; hops < maxHops; hops++) {
    const rate =
      ((toStart[hops] as Float64Array)[from] as number) *
      ((toEnd[maxHops - 1 - hops] as Float64Array)[to] as number)
    if (rate > bar) return true
  }
  return false
}
