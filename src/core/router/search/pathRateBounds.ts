import type { PoolGraph } from '#src/core/router/graph.ts'
import { type PoolSimulation, rateOf } from '#src/core/router/pools/poolSimulation.ts'
import { reverseEdge } from '#src/core/router/pools/topology.ts'
import {
  bestHop,
  edgeRates,
  type RatedPaths,
  type RateTable,
  ratedPathsFrom,
  ratedPathsTo,
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
export type PathRateBounds = Readonly<{
  /** By edge. */
  rates: Float64Array
  /** By number of hops, at most those that follow the first one, and by currency: the best rate to the end. */
  toEnd: RateTable
}>

/** The rates in the state of the graph, which all searches of a block share. */
export const pathRateBoundsOf = (graph: PoolGraph, ends: SearchEnds): PathRateBounds => ({
  rates: edgeRates(graph),
  toEnd: pathsOfGraph(graph, ends).rates,
})

const pathsOfGraph = (graph: PoolGraph, { end, maxHops, flip }: SearchEnds): RatedPaths =>
  flip === 0 ? ratedPathsTo(graph, end, maxHops) : ratedPathsFrom(graph, end, maxHops)

/** Empty bounds for a search of up to `maxHops` hops. */
export const createPathRateBounds = ({ topology }: PoolGraph, maxHops: number): PathRateBounds => ({
  rates: new Float64Array(topology.inputs.length),
  toEnd: Array.from({ length: maxHops }, () => new Float64Array(topology.edgesFrom.length)),
})

/**
 * Fills in the rates in the state of the simulation, which must differ from the graph in the pools of `paths` alone. A
 * swap only lowers the rates of its pool. So a best rate of the graph stays valid if the rates along its path are
 * unchanged.
 * @returns the best rate from the start to the end.
 */
export function fillPathRateBounds(
  { rates, toEnd }: PathRateBounds,
  simulation: PoolSimulation,
  ends: SearchEnds,
  paths: readonly (readonly number[])[],
): number {
  const { graph, closed } = simulation
  const { start, flip } = ends
  const { adjacency, outputs } = graph.topology
  const ratesBefore = edgeRates(graph)
  rates.set(ratesBefore)
  for (const path of paths)
    for (const edge of path) {
      rates[edge] = closed[edge] === 1 ? 0 : rateOf(simulation, edge)
      if (closed[reverseEdge(edge)] === 1) rates[reverseEdge(edge)] = 0
    }
  const known = pathsOfGraph(graph, ends)
  const hop = { adjacency, rates, flip }
  for (let number = 0; number < toEnd.length; number++) {
    const row = toEnd[number] as Float64Array
    row.set(known.rates[number] as Float64Array)
    if (number === 0) continue
    const fewer = toEnd[number - 1] as Float64Array
    const fewerBefore = known.rates[number - 1] as Float64Array
    const hops = known.hops[number] as Int32Array
    for (let currency = 0; currency < row.length; currency++) {
      const edge = hops[currency] as number
      const isKept =
        edge < 0
          ? fewer[currency] === fewerBefore[currency]
          : rates[edge ^ flip] === ratesBefore[edge ^ flip] &&
            fewer[outputs[edge] as number] === fewerBefore[outputs[edge] as number]
      if (!isKept)
        row[currency] = Math.max(fewer[currency] as number, bestHop(fewer, hop, currency))
    }
  }
  return bestHop(toEnd.at(-1) as Float64Array, hop, start)
}
