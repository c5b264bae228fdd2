import { edgeSize, reserveIn, reserveOut } from '#src/pools/virtualReserves.ts'
import type { PoolGraph } from '#src/pricing/router/graph.ts'

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
  const { inputs, outputs, edgesFrom } = graph.topology
  const [near, far] = tables === rates.from ? [inputs, outputs] : [outputs, inputs]
  const rows = [...(known ?? [firstRow(edgesFrom.length, currency)])]
  while (rows.length <= maxHops)
    rows.push(nextRow(rows.at(-1) as Float64Array, rates.edges, near, far))
  if (known === undefined && tables.size >= maxTables) tables.clear()
  tables.set(currency, rows)
  return rows
}

function firstRow(currencies: number, currency: number): Float64Array {
  const row = new Float64Array(currencies)
  row[currency] = 1
  return row
}

/** One more hop: over each edge from its near currency, which is closer to the currency of the table, to its far one. */
function nextRow(
  row: Float64Array,
  rates: Float64Array,
  near: Int32Array,
  far: Int32Array,
): Float64Array {
  const next = row.slice()
  for (let edge = 0; edge < rates.length; edge++) {
    const rate = (row[near[edge] as number] as number) * (rates[edge] as number)
    const currency = far[edge] as number
    if (rate > (next[currency] as number)) next[currency] = rate
  }
  return next
}
