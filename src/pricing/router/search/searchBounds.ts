import type { PoolGraph } from '#src/pricing/router/graph.ts'
import { type PoolSimulation, rateOf } from '#src/pricing/router/pools/poolSimulation.ts'
import { reverseEdge } from '#src/pricing/router/pools/topology.ts'
import {
  bestHop,
  edgeRates,
  fillNextRow,
  type RateTable,
  ratesFrom,
  ratesTo,
} from './rateTables.ts'

/** Start, end and direction of a path search. */
export type SearchEnds = Readonly<{
  /** Currencies by number. */
  start: number
  end: number
  maxHops: number
  /** 1 to search backwards from the output: then it follows edges against the direction of the swap. */
  flip: 0 | 1
}>

/** Allows for float rounding before the search drops an edge or a label by its bound. */
export const roundingUp = 1 + 1e-9

/** Marginal rates that no path of a search exceeds. */
export type SearchBounds = Readonly<{
  /** By edge. */
  rates: Float64Array
  /** By number of hops, at most those that follow the first one, and by currency: the best rate to the end. */
  toEnd: RateTable
}>

/** The rates in the state of the graph, which all searches of a block share. */
export const boundsOfGraph = (
  graph: PoolGraph,
  { end, maxHops, flip }: SearchEnds,
): SearchBounds => ({
  rates: edgeRates(graph),
  toEnd: flip === 0 ? ratesTo(graph, end, maxHops) : ratesFrom(graph, end, maxHops),
})

/** Room for the bounds of a search of up to `maxHops` hops. */
export const createSearchBounds = ({ topology }: PoolGraph, maxHops: number): SearchBounds => ({
  rates: new Float64Array(topology.inputs.length),
  toEnd: Array.from({ length: maxHops }, () => new Float64Array(topology.edgesFrom.length)),
})

/**
 * Fills in the rates in the state of the simulation, if it has changed the pools of these paths alone. The last row of the
 * table is filled in for the neighbours of the start.
 * @returns the best rate from the start to the end.
 */
export function fillBounds(
  { rates, toEnd }: SearchBounds,
  simulation: PoolSimulation,
  { start, end, flip }: SearchEnds,
  paths: readonly (readonly number[])[],
): number {
  const { graph, closed } = simulation
  const { offsets, edges, neighbours } = graph.topology.adjacency
  rates.set(edgeRates(graph))
  for (const path of paths)
    for (const edge of path) {
      rates[edge] = closed[edge] === 1 ? 0 : rateOf(simulation, edge)
      if (closed[reverseEdge(edge)] === 1) rates[reverseEdge(edge)] = 0
    }
  const first = toEnd[0] as Float64Array
  first.fill(0)
  first[end] = 1
  const hop = { adjacency: graph.topology.adjacency, rates, flip }
  const lastRow = toEnd.length - 1
  for (let row = 1; row < lastRow; row++)
    fillNextRow(toEnd[row] as Float64Array, toEnd[row - 1] as Float64Array, hop)
  const last = toEnd[lastRow] as Float64Array
  const before = toEnd[lastRow - 1]
  let best = 0
  for (let at = offsets[start] as number; at < (offsets[start + 1] as number); at++) {
    const next = neighbours[at] as number
    if (before !== undefined)
      last[next] = Math.max(before[next] as number, bestHop(before, hop, next))
    const rate = rates[(edges[at] as number) ^ flip] as number
    best = Math.max(best, rate * (last[next] as number))
  }
  return best
}
