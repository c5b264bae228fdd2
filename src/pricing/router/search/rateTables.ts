import { edgeSize, reserveIn, reserveOut } from '#src/pools/virtualReserves.ts'
import type { PoolGraph } from '#src/pricing/router/graph.ts'
import type { Adjacency } from '#src/pricing/router/pools/topology.ts'

/**
 * The best marginal rates between one currency and every other. Row n is for paths of at most n hops; 0 if there is
 * none. A swap only lowers the rate of its pool, so no route gives more than its input times the rate.
 */
export type RateTable = readonly Float64Array[]

/** The rates of a graph. Graphs are immutable, so that all searches of a block share them. */
type GraphRates = Readonly<{
  /** By edge: the output of the first unit of input. */
  edges: Float64Array
  /** By currency. */
  from: Map<number, RateTable>
  to: Map<number, RateTable>
}>

/**
 * Tables kept per graph and direction. A table has a number for each currency and hop, and callers choose the
 * currencies: a full cache is cleared.
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
export const edgeRates = (graph: PoolGraph): Float64Array => ratesOf(graph).edges

/** The best rates from `currency`, along at most `maxHops` hops. */
export const ratesFrom = (graph: PoolGraph, currency: number, maxHops: number): RateTable =>
  extendTable(ratesOf(graph).from, graph, currency, maxHops)

/** The best rates to `currency`, along at most `maxHops` hops. */
export const ratesTo = (graph: PoolGraph, currency: number, maxHops: number): RateTable =>
  extendTable(ratesOf(graph).to, graph, currency, maxHops)

/** The table of a currency with at least `maxHops` rows after the first, from the cache as far as it goes. */
function extendTable(
  tables: Map<number, RateTable>,
  graph: PoolGraph,
  currency: number,
  maxHops: number,
): RateTable {
  const known = tables.get(currency)
  if (known !== undefined && known.length > maxHops) return known
  const rates = ratesOf(graph)
  const { adjacency, edgesFrom } = graph.topology
  const flip = tables === rates.from ? 1 : 0
  const rows = [...(known ?? [firstRow(edgesFrom.length, currency)])]
  while (rows.length <= maxHops) {
    const row = new Float64Array(edgesFrom.length)
    fillNextRow(row, rows.at(-1) as Float64Array, { adjacency, rates: rates.edges, flip })
    rows.push(row)
  }
  if (known === undefined && tables.size >= maxTables) tables.clear()
  tables.set(currency, rows)
  return rows
}

function firstRow(currencies: number, currency: number): Float64Array {
  const row = new Float64Array(currencies)
  row[currency] = 1
  return row
}

/** A hop between neighbours at these rates of edges. */
type RatedHop = Readonly<{
  adjacency: Adjacency
  rates: Float64Array
  /** 1 if paths begin at the currency of the table: then they take the edges of the adjacency against their direction. */
  flip: 0 | 1
}>

/** One more hop: from each currency to its best neighbour, which is closer to the currency of the table. */
export function fillNextRow(next: Float64Array, row: Float64Array, hop: RatedHop): void {
  for (let currency = 0; currency < row.length; currency++)
    next[currency] = Math.max(row[currency] as number, bestHop(row, hop, currency))
}

/** The best rate of a currency over one hop to a neighbour, and on from there. */
export function bestHop(
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
