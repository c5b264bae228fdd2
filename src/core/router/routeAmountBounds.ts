import {
  capacity,
  edgeSize,
  enterNextRange,
  type PoolShape,
  reserveIn,
  reserveOut,
} from '#src/core/pools/virtualReserves.ts'
import type { Address } from '#src/core/units/address.ts'
import type { PoolGraph } from './graph.ts'
import { isZeroForOne, poolOfEdge, reverseEdge } from './pools/topology.ts'
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
  input: Address,
  output: Address,
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
