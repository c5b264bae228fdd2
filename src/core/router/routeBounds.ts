import {
  capacity,
  edgeSize,
  enterNextRange,
  type PoolShape,
  reserveIn,
  reserveOut,
  type VirtualReserves,
} from '#src/core/pools/virtualReserves.ts'
import type { Account } from '#src/core/units/address.ts'
import { isZeroForOne, type PoolGraph, poolOfEdge, reverseEdge } from './graph.ts'
import { ratesTo } from './search/rateTables.ts'

/** Bounds every route between two currencies, in raw units. */
export type RouteAmountBounds = Readonly<{
  /** Upper bound on the output. */
  maxOutput: (amountIn: number) => number
  /** Lower bound on the input. */
  minInput: (amountOut: number) => number
}>

/** Shares of the best marginal rate at which the first and the last pools of a route are cut off. */
const cutOffs = [1, 0.998, 0.995, 0.99, 0.98, 0.96, 0.92, 0.85, 0.7]

/**
 * Bounds routes between two currencies by the price impact in their first and last pools; pools between these count as
 * endless. It is the dual bound of optimal routing: for any prices of the currencies, a trader gains at most the value
 * of the input plus what each pool loses to an arbitrageur at these prices. At the best marginal rates to the output no
 * pool loses anything. With a lower price of the input, only its own pools do; with lower prices of all but the
 * output, only pools of the output.
 * @source Angeris, Chitra, Evans and Boyd, Optimal Routing for Constant Function Market Makers, 2022
 */
export function routeAmountBounds(
  graph: PoolGraph,
  input: Account,
  output: Account,
  maxHops: number,
): RouteAmountBounds {
  if (input === output) return unchanged
  const { currencyNumbers } = graph.topology
  const start = currencyNumbers.get(input)
  const end = currencyNumbers.get(output)
  if (start === undefined || end === undefined) return unreachable
  const bounds = boundsByGraph.get(graph) ?? new Map<string, RouteAmountBounds>()
  boundsByGraph.set(graph, bounds)
  const key = `${start} ${end} ${maxHops}`
  const known = bounds.get(key)
  if (known !== undefined) return known
  if (bounds.size >= maxBounds) bounds.clear()
  const bound = boundBetween(graph, start, end, maxHops)
  bounds.set(key, bound)
  return bound
}

const unchanged: RouteAmountBounds = {
  maxOutput: (amountIn) => amountIn,
  minInput: (amountOut) => amountOut,
}
const unreachable: RouteAmountBounds = {
  maxOutput: () => 0,
  minInput: () => Number.POSITIVE_INFINITY,
}

/** Graphs are immutable, so that all prices of a block share the bounds. A full cache is cleared. */
const boundsByGraph = new WeakMap<PoolGraph, Map<string, RouteAmountBounds>>()
const maxBounds = 512

/** @param start the number of the input currency. @param end the number of the output currency. */
function boundBetween(
  graph: PoolGraph,
  start: number,
  end: number,
  maxHops: number,
): RouteAmountBounds {
  const { edgesFrom, outputs } = graph.topology
  const table = ratesTo(graph, end, maxHops)
  const best = table[maxHops]?.[start] as number
  if (best === 0) return unreachable
  const behind = table[maxHops - 1] as Float64Array
  const direct = table[1] as Float64Array
  const starting = edgesFrom[start] as readonly number[]
  const ending = (edgesFrom[end] as readonly number[]).map(reverseEdge)
  const between = starting.filter((edge) => outputs[edge] === end)
  const firstCuts = cutsOf(starting, (edge, cutOff) => {
    const next = outputs[edge] as number
    return next === end ? 0 : poolLoss(graph, edge, cutOff * best, behind[next] as number)
  })
  const lastCuts = cutsOf(ending, (edge, cutOff) => {
    const from = outputs[reverseEdge(edge)] as number
    return from === start ? 0 : poolLoss(graph, edge, cutOff * (direct[from] as number), 1)
  })
  const lossBetween = (rate: number) => sumOf(between, (edge) => poolLoss(graph, edge, rate, 1))
  return {
    maxOutput: (amountIn) => {
      const first = minBy(firstCuts, (cut) => maxOutputOf(cut, best * amountIn))
      const reached = maxOutputOf(first, best * amountIn)
      const last = minBy(lastCuts, (cut) => maxOutputOf(cut, reached))
      return maxOutputOf(last, reached) + lossBetween(first.cutOff * last.cutOff * best)
    },
    minInput: (amountOut) => {
      const last = minBy(lastCuts, (cut) => -minInputFor(cut, amountOut))
      const first = minBy(firstCuts, (cut) => -minInputFor(cut, minInputFor(last, amountOut)))
      const rest = amountOut - lossBetween(first.cutOff * last.cutOff * best)
      return Math.max(0, minInputFor(first, minInputFor(last, rest)) / best)
    },
  }
}

/**
 * The pools at one end of the routes, at the share `cutOff` of the best rates. `loss` is their loss to an arbitrageur
 * there.
 */
type Cut = Readonly<{ cutOff: number; loss: number }>

/** Upper bound on the amount behind these pools. `amount` is the amount that the best rates would give. */
const maxOutputOf = ({ cutOff, loss }: Cut, amount: number): number => cutOff * amount + loss

/** Lower bound on the amount that the best rates would give, if `amount` is left behind these pools. */
const minInputFor = ({ cutOff, loss }: Cut, amount: number): number => (amount - loss) / cutOff

/**
 * The cut with the lowest bound. Losses are convex in the cut-off, so the bound falls to its minimum and rises from
 * there: small amounts need the first few cuts only.
 */
function minBy(cuts: Cuts, boundOf: (cut: Cut) => number): Cut {
  let best = cuts.at(0)
  let min = boundOf(best)
  for (let next = 1; next < cuts.count; next++) {
    const cut = cuts.at(next)
    const bound = boundOf(cut)
    if (bound > min) break
    if (bound < min) [best, min] = [cut, bound]
  }
  return best
}

/** A currency with more pools than this is no bottleneck. */
const maxPools = 32

/** The losses of all pools at an end of the routes, by descending cut-off. */
type Cuts = Readonly<{ count: number; at: (index: number) => Cut }>

/** Each loss is computed when an amount first needs it. */
function cutsOf(edges: readonly number[], lossOf: (edge: number, cutOff: number) => number): Cuts {
  const known: Cut[] = []
  return {
    count: edges.length > maxPools ? 1 : cutOffs.length,
    at: (index) => {
      const cutOff = cutOffs[index] as number
      known[index] ??= { cutOff, loss: sumOf(edges, (edge) => lossOf(edge, cutOff)) }
      return known[index]
    },
  }
}

const sumOf = (edges: readonly number[], lossOf: (edge: number) => number): number => {
  let sum = 0
  for (const edge of edges) sum += lossOf(edge)
  return sum
}

const scratch = new Float64Array(edgeSize)

/**
 * The loss of the pool of an edge to an arbitrageur who trades it to these prices: the maximum over the input x of
 * `priceOut` × output(x) − `priceIn` × x.
 */
function poolLoss(graph: PoolGraph, edge: number, priceIn: number, priceOut: number): number {
  const start = edge * edgeSize
  const rate =
    (graph.reserves[start + reserveOut] as number) / (graph.reserves[start + reserveIn] as number)
  if (rate * priceOut <= priceIn) return 0
  for (let i = 0; i < edgeSize; i++) scratch[i] = graph.reserves[start + i] as number
  const shape = graph.shapes[poolOfEdge(edge)] as PoolShape
  let loss = 0
  for (;;) {
    const paid = (scratch[reserveIn] as number) * priceIn
    const bought = (scratch[reserveOut] as number) * priceOut
    // Negated, so that NaN ends the loop as well.
    if (!(bought > paid)) return loss
    const capacityIn = scratch[capacity] as number
    const input = (Math.sqrt(bought / paid) - 1) * (scratch[reserveIn] as number)
    if (input <= capacityIn) return loss + (Math.sqrt(bought) - Math.sqrt(paid)) ** 2
    loss +=
      (bought * capacityIn) / ((scratch[reserveIn] as number) + capacityIn) - priceIn * capacityIn
    enterNextRange(scratch, 0, shape, isZeroForOne(edge))
  }
}

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
  input: Account,
  output: Account,
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
type OutputBounds = Readonly<{ prices: Prices; extra: number }>

/**
 * Maximum number of output currencies per graph. Each takes a number for every currency, and callers choose the
 * currencies, so a full cache is cleared.
 */
const maxOutputs = 128

/** By graph and output currency: graphs are immutable, so the bounds stay valid. */
const outputBoundsByGraph = new WeakMap<PoolGraph, Map<number, OutputBounds>>()

/** The prices that bound every route to the currency `end`, and the losses of all pools at these prices. */
export function boundsTo(graph: PoolGraph, end: number): OutputBounds {
  const byOutput = outputBoundsByGraph.get(graph) ?? new Map<number, OutputBounds>()
  outputBoundsByGraph.set(graph, byOutput)
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

/**
 * Prices along a tree of the deepest pools: the next currency is always the one with the deepest pool to a priced
 * currency.
 */
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
 * The loss of a pool to an arbitrageur within its current range: the maximum of `priceOut × reserveOut × x ÷ (reserveIn
 * + x) − priceIn × x` over the input x, where the derivative is zero. An optimum beyond the capacity of the current
 * range gives Infinity, which is a valid but useless bound.
 */
function lossInRange(reserves: VirtualReserves, priceIn: number, priceOut: number): number {
  const paid = (reserves[reserveIn] as number) * priceIn
  const bought = (reserves[reserveOut] as number) * priceOut
  if (bought <= paid) return 0
  const input = (Math.sqrt(bought / paid) - 1) * (reserves[reserveIn] as number)
  if (input > (reserves[capacity] as number)) return Number.POSITIVE_INFINITY
  return (Math.sqrt(bought) - Math.sqrt(paid)) ** 2
}
