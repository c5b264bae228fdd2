import type { Address } from '#src/units/address.ts'
import type { PoolGraph } from './graph.ts'
import { reverseEdge } from './pools/topology.ts'
import { depthSize, reserveIn, reserveOut, room } from './pools/virtualReserves.ts'

/** No route pays more than `rate` for each raw unit of its input, and `extra` raw units besides. */
export type RouteBound = Readonly<{ rate: number; extra: number }>

/**
 * What no route from `input` to `output` exceeds, split as it may be. It is the dual bound of optimal
 * routing: at whatever prices, a swap gains what it pays in, at these prices, and what the pools lose
 * to whoever trades them to these prices. The prices are those of the best deep pools, which so lose
 * nothing; the shallow ones lose little, and they are the `extra`.
 * @source Angeris, Chitra, Evans and Boyd, Optimal Routing for Constant Function Market Makers, 2022
 */
export function routeBound(graph: PoolGraph, input: Address, output: Address): RouteBound {
  if (input === output) return { rate: 1, extra: 0 }
  const { currencyNumbers } = graph.topology
  const start = currencyNumbers.get(input)
  const end = currencyNumbers.get(output)
  if (start === undefined || end === undefined) return { rate: 0, extra: 0 }
  const { prices, extra } = boundsTo(graph, end)
  return { rate: prices[start] as number, extra }
}

/** Raw units of one currency that a raw unit of each currency is worth. */
type Prices = Float64Array
type Bounds = Readonly<{ prices: Prices; extra: number }>

/** By graph and output: graphs never change, so what was found for one stays true. */
const known = new WeakMap<PoolGraph, Map<number, Bounds>>()

function boundsTo(graph: PoolGraph, end: number): Bounds {
  const byOutput = known.get(graph) ?? new Map<number, Bounds>()
  known.set(graph, byOutput)
  const before = byOutput.get(end)
  if (before !== undefined) return before
  const prices = bestPrices(graph, deepestPrices(graph, end))
  const bounds = { prices, extra: poolLosses(graph, prices) }
  byOutput.set(end, bounds)
  return bounds
}

/** What the first unit that is paid into an edge buys. */
const rateOf = ({ depths }: PoolGraph, edge: number): number =>
  (depths[edge * depthSize + reserveOut] as number) /
  (depths[edge * depthSize + reserveIn] as number)

/** Prices along the deepest pools: next is always the currency with the deepest pool to a priced one. */
function deepestPrices(graph: PoolGraph, end: number): Prices {
  const { inputs, outputs, edgesFrom } = graph.topology
  const prices = new Float64Array(edgesFrom.length)
  const deepest = new Int32Array(edgesFrom.length).fill(-1)
  const depths = new Float64Array(edgesFrom.length)
  prices[end] = 1
  for (let priced = end; priced >= 0; priced = deepestOf(depths, prices)) {
    const edge = deepest[priced] as number
    if (edge >= 0)
      prices[priced] = rateOf(graph, edge) * (prices[outputs[edge] as number] as number)
    for (const onward of edgesFrom[priced] as readonly number[]) {
      const inward = reverseEdge(onward)
      const currency = inputs[inward] as number
      const depth = depthOf(graph, prices, inward)
      if (depth <= (depths[currency] as number)) continue
      depths[currency] = depth
      deepest[currency] = inward
    }
  }
  return prices
}

/** The currency without a price that has the deepest pool so far; -1 when none is left. */
function deepestOf(depths: Float64Array, prices: Prices): number {
  let best = -1
  for (let currency = 0; currency < depths.length; currency++)
    if (
      prices[currency] === 0 &&
      (depths[currency] as number) > (best < 0 ? 0 : (depths[best] as number))
    )
      best = currency
  return best
}

/** What an edge can pay out, by the prices known so far. */
const depthOf = ({ topology, depths }: PoolGraph, prices: Prices, edge: number): number =>
  (depths[edge * depthSize + reserveOut] as number) *
  (prices[topology.outputs[edge] as number] as number)

/** A pool is deep when it has this part of the deepest one's depth. */
const deepShare = 1e-4
/** More hops than any route has. */
const rounds = 6

/** Raises prices to what the best of the deep pools pay. */
function bestPrices(graph: PoolGraph, prices: Prices): Prices {
  const { inputs, outputs } = graph.topology
  const edges = [...inputs.keys()]
  const depths = edges.map((edge) => depthOf(graph, prices, edge))
  const least = depths.reduce((most, depth) => Math.max(most, depth), 0) * deepShare
  const deep = edges.filter((edge) => (depths[edge] as number) >= least)
  const best = new Float64Array(prices)
  for (let round = 0; round < rounds; round++)
    for (const edge of deep) {
      const price = rateOf(graph, edge) * (best[outputs[edge] as number] as number)
      const input = inputs[edge] as number
      if (price > (best[input] as number)) best[input] = price
    }
  return best
}

/** What all pools together lose to whoever trades them to `prices`. */
function poolLosses(graph: PoolGraph, prices: Prices): number {
  const { inputs, outputs } = graph.topology
  let losses = 0
  for (let edge = 0; edge < inputs.length; edge++)
    losses += lossOf(
      graph.depths.subarray(edge * depthSize, (edge + 1) * depthSize),
      prices[inputs[edge] as number] as number,
      prices[outputs[edge] as number] as number,
    )
  return losses
}

/**
 * The most of `out × R' x ÷ (R + x) − in × x` over x: where its derivative is zero. Past the room that
 * the liquidity reaches, nothing is known of it here: the bound is then no bound.
 */
function lossOf(depth: Float64Array, priceIn: number, priceOut: number): number {
  const paid = (depth[reserveIn] as number) * priceIn
  const bought = (depth[reserveOut] as number) * priceOut
  if (bought <= paid) return 0
  const input = (Math.sqrt(bought / paid) - 1) * (depth[reserveIn] as number)
  if (input > (depth[room] as number)) return Number.POSITIVE_INFINITY
  return (Math.sqrt(bought) - Math.sqrt(paid)) ** 2
}
