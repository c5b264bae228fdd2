import { edgeSize, reserveIn, reserveOut } from '#src/core/pools/virtualReserves.ts'
import { type Adjacency, type PoolGraph, reverseEdge } from '#src/core/router/graph.ts'
import { type PoolSimulation, rateOf } from '#src/core/router/pools/poolSimulation.ts'

/**
 * The best marginal rates between one currency and every other. Row n is for paths of at most n hops; 0 if there is
 * none. A swap only lowers the rate of its pool, so no route gives more than its input times the rate.
 */
export type RateTable = readonly Float64Array[]

/** A rate table, and the paths with these rates. */
export type RatedPaths = Readonly<{
  rates: RateTable
  /**
   * By row and currency: the edge of the adjacency next to the currency; -1 if fewer hops have the same rate. In row 0,
   * any other number marks the currency of the table.
   */
  hops: readonly Int32Array[]
}>

/** The rates of a graph. Graphs are immutable, so that all searches of a block share them. */
type GraphRates = Readonly<{
  /** By edge: the output of the first unit of input. */
  edges: Float64Array
  /** By currency. */
  from: Map<number, RatedPaths>
  to: Map<number, RatedPaths>
}>

/**
 * Maximum number of tables per graph and direction. A table has a number for each currency and hop, and callers choose
 * the currencies, so a full cache is cleared.
 */
const maxTables = 128

const ratesByGraph = new WeakMap<PoolGraph, GraphRates>()

function ratesOf(graph: PoolGraph): GraphRates {
  const known = ratesByGraph.get(graph)
  if (known !== undefined) return known
  const { reserves, topology } = graph
  const edges = new Float64Array(topology.inputs.length)
  for (let edge = 0; edge < edges.length; edge++) {
    const offset = edge * edgeSize
    edges[edge] =
      (reserves[offset + reserveOut] as number) / (reserves[offset + reserveIn] as number)
  }
  const rates = { edges, from: new Map(), to: new Map() }
  ratesByGraph.set(graph, rates)
  return rates
}

/** The marginal rate of every edge of the graph. */
const edgeRates = (graph: PoolGraph): Float64Array => ratesOf(graph).edges

/** The best rates from `currency`, along at most `maxHops` hops. */
export const ratesFrom = (graph: PoolGraph, currency: number, maxHops: number): RateTable =>
  ratedPathsFrom(graph, currency, maxHops).rates

/** The best rates to `currency`, along at most `maxHops` hops. */
export const ratesTo = (graph: PoolGraph, currency: number, maxHops: number): RateTable =>
  ratedPathsTo(graph, currency, maxHops).rates

const ratedPathsFrom = (graph: PoolGraph, currency: number, maxHops: number): RatedPaths =>
  extendTable(ratesOf(graph).from, graph, currency, maxHops)

const ratedPathsTo = (graph: PoolGraph, currency: number, maxHops: number): RatedPaths =>
  extendTable(ratesOf(graph).to, graph, currency, maxHops)

/** The table of a currency with at least `maxHops` rows after the first. Extends the table in the cache. */
function extendTable(
  tables: Map<number, RatedPaths>,
  graph: PoolGraph,
  currency: number,
  maxHops: number,
): RatedPaths {
  const known = tables.get(currency)
  if (known !== undefined && known.rates.length > maxHops) return known
  const rates = ratesOf(graph)
  const { adjacency, edgesFrom } = graph.topology
  const hop = { adjacency, rates: rates.edges, flip: tables === rates.from ? 1 : 0 } as const
  const rows = [...(known?.rates ?? [new Float64Array(edgesFrom.length)])]
  const hops = [...(known?.hops ?? [new Int32Array(edgesFrom.length).fill(-1)])]
  if (known === undefined) {
    if (tables.size >= maxTables) tables.clear()
    ;(rows[0] as Float64Array)[currency] = 1
    ;(hops[0] as Int32Array)[currency] = 0
  }
  while (rows.length <= maxHops) addRow(rows, hops, hop)
  const table = { rates: rows, hops }
  tables.set(currency, table)
  return table
}

/** A hop between neighbours at these rates of edges. */
type RatedHop = Readonly<{
  adjacency: Adjacency
  rates: Float64Array
  /** 1 if paths begin at the currency of the table: then they use the reverse edges of the adjacency. */
  flip: 0 | 1
}>

/**
 * Adds the row of one more hop. Only a currency whose rate the last row improved can improve those of its neighbours.
 */
function addRow(
  rows: Float64Array[],
  hops: Int32Array[],
  { adjacency: { offsets, edges, neighbours }, rates, flip }: RatedHop,
): void {
  const before = rows.at(-1) as Float64Array
  const hopsBefore = hops.at(-1) as Int32Array
  const row = before.slice()
  const hopsNow = new Int32Array(row.length).fill(-1)
  for (let next = 0; next < row.length; next++) {
    if ((hopsBefore[next] as number) < 0) continue
    const end = offsets[next + 1] as number
    for (let at = offsets[next] as number; at < end; at++) {
      const currency = neighbours[at] as number
      const edge = reverseEdge(edges[at] as number)
      const rate = (before[next] as number) * (rates[edge ^ flip] as number)
      if (rate <= (row[currency] as number)) continue
      row[currency] = rate
      hopsNow[currency] = edge
    }
  }
  rows.push(row)
  hops.push(hopsNow)
}

/** The best rate of a currency over one hop to a neighbour, and from the neighbour on. */
function bestHop(
  row: Float64Array,
  { adjacency: { offsets, edges, neighbours }, rates, flip }: RatedHop,
  currency: number,
): number {
  const end = offsets[currency + 1] as number
  let best = 0
  for (let at = offsets[currency] as number; at < end; at++) {
    const rate =
      (row[neighbours[at] as number] as number) * (rates[(edges[at] as number) ^ flip] as number)
    if (rate > best) best = rate
  }
  return best
}

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
