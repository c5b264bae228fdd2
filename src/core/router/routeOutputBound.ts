import {
  capacity,
  edgeSize,
  reserveIn,
  reserveOut,
  type VirtualReserves,
} from '#src/core/pools/virtualReserves.ts'
import type { Address } from '#src/core/units/address.ts'
import type { PoolGraph } from './graph.ts'
import { reverseEdge } from './pools/topology.ts'

/** Upper bound on any route: its output is at most `rate` × input + `extra`, in raw units. */
export type RouteOutputBound = Readonly<{ rate: number; extra: number }>

/**
 * Upper bound on the output of any route from `input` to `output`, however it is split. It is the dual bound of optimal
 * routing. For any fixed prices, a swap gains at most the value of its input at these prices, plus the loss of every
 * pool to an arbitrageur who trades the pool to these prices. The prices used here are those of the best deep pools,
 * so deep pools lose little or nothing. The losses of all pools together are `extra`.
 * @source Angeris, Chitra, Evans and Boyd, Optimal Routing for Constant Function Market Makers, 2022
 */
export function routeOutputBound(
  graph: PoolGraph,
  input: Address,
  output: Address,
): RouteOutputBound {
  if (input === output) return { rate: 1, extra: 0 }
  const { currencyNumbers } = graph.topology
  const start = currencyNumbers.get(input)
  const end = currencyNumbers.get(output)
  if (start === undefined || end === undefined) return { rate: 0, extra: 0 }
  const { prices, extra } = boundsTo(graph, end)
  return { rate: prices[start] as number, extra }
}

/** By currency: the value of one raw unit in raw units of the output currency. */
type Prices = Float64Array
type Bounds = Readonly<{ prices: Prices; extra: number }>

/**
 * Maximum number of output currencies per graph. Each takes a number for every currency, and callers choose the
 * currencies, so a full cache is cleared.
 */
const maxOutputs = 128

/** By graph and output currency: graphs are immutable, so the bounds stay valid. */
const boundsByGraph = new WeakMap<PoolGraph, Map<number, Bounds>>()

/** The prices that bound every route to the currency `end`, and the losses of all pools at these prices. */
export function boundsTo(graph: PoolGraph, end: number): Bounds {
  const byOutput = boundsByGraph.get(graph) ?? new Map<number, Bounds>()
  boundsByGraph.set(graph, byOutput)
  const before = byOutput.get(end)
  if (before !== undefined) return before
  const prices = bestPrices(graph, deepestPrices(graph, end))
  const bounds = { prices, extra: poolLosses(graph, prices) }
  if (byOutput.size >= maxOutputs) byOutput.clear()
  byOutput.set(end, bounds)
  return bounds
}

/** The output of the first unit of input of an edge. */
const rateOf = ({ reserves }: PoolGraph, edge: number): number =>
  (reserves[edge * edgeSize + reserveOut] as number) /
  (reserves[edge * edgeSize + reserveIn] as number)

/** Prices along a tree of the deepest pools: the next currency is always the one with the deepest pool to a priced currency. */
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

/** The currency without a price that has the deepest pool to a priced currency; -1 if none is left. */
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

/** The value of the output reserve of an edge at the given prices. */
const depthOf = ({ topology, reserves }: PoolGraph, prices: Prices, edge: number): number =>
  (reserves[edge * edgeSize + reserveOut] as number) *
  (prices[topology.outputs[edge] as number] as number)

/** A pool is deep if it has at least this share of the depth of the deepest pool. */
const deepShare = 1e-4
/** The largest number of hops of any route. */
const rounds = 6

/** Raises the prices to the best rates along deep pools. */
function bestPrices(graph: PoolGraph, prices: Prices): Prices {
  const { inputs, outputs } = graph.topology
  const edges = [...inputs.keys()]
  const depths = edges.map((edge) => depthOf(graph, prices, edge))
  const minDepth = depths.reduce((deepest, depth) => Math.max(deepest, depth), 0) * deepShare
  const deep = edges.filter((edge) => (depths[edge] as number) >= minDepth)
  const best = new Float64Array(prices)
  for (let round = 0; round < rounds; round++)
    for (const edge of deep) {
      const price = rateOf(graph, edge) * (best[outputs[edge] as number] as number)
      const input = inputs[edge] as number
      if (price > (best[input] as number)) best[input] = price
    }
  return best
}

/** The loss of all pools together to an arbitrageur who trades them to `prices`. */
function poolLosses(graph: PoolGraph, prices: Prices): number {
  const { inputs, outputs } = graph.topology
  let losses = 0
  for (let edge = 0; edge < inputs.length; edge++)
    losses += lossInRange(
      graph.reserves.subarray(edge * edgeSize, (edge + 1) * edgeSize),
      prices[inputs[edge] as number] as number,
      prices[outputs[edge] as number] as number,
    )
  return losses
}

/**
 * The loss of a pool to an arbitrageur within its current range: the maximum of `priceOut × reserveOut × x ÷ (reserveIn + x) − priceIn × x` over the input x, where the derivative is
 * zero. An optimum beyond the capacity of the current range gives Infinity, which is a valid but useless bound.
 */
function lossInRange(reserves: VirtualReserves, priceIn: number, priceOut: number): number {
  const paid = (reserves[reserveIn] as number) * priceIn
  const bought = (reserves[reserveOut] as number) * priceOut
  if (bought <= paid) return 0
  const input = (Math.sqrt(bought / paid) - 1) * (reserves[reserveIn] as number)
  if (input > (reserves[capacity] as number)) return Number.POSITIVE_INFINITY
  return (Math.sqrt(bought) - Math.sqrt(paid)) ** 2
}
