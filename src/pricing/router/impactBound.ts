import type { Address } from '#src/units/address.ts'
import type { PoolGraph } from './graph.ts'
import { isZeroForOne, poolOfEdge, reverseEdge } from './pools/topology.ts'
import {
  capacity,
  edgeSize,
  enterNextRange,
  type PoolShape,
  reserveIn,
  reserveOut,
} from './pools/virtualReserves.ts'
import { ratesTo } from './search/rateTables.ts'

/**
 * Upper bound on the output of any route: at most `rate` × input + `extra` for every line, in raw units.
 * Each line is a bound of its own, good for inputs of another size.
 */
export type ImpactBound = readonly Readonly<{ rate: number; extra: number }>[]

export const maxOutputOf = (bound: ImpactBound, amountIn: number): number =>
  bound.reduce(
    (most, { rate, extra }) => Math.min(most, rate * amountIn + extra),
    Number.POSITIVE_INFINITY,
  )

export const minInputOf = (bound: ImpactBound, amountOut: number): number =>
  bound.reduce((least, { rate, extra }) => Math.max(least, (amountOut - extra) / rate), 0)

/** The shares of the best marginal rate at which the first and the last pools of a route are cut off. */
const cutOffs = [1, 0.998, 0.995, 0.99, 0.98, 0.96, 0.92, 0.85, 0.7]

/**
 * Bounds routes between two currencies by the price impact in their first and last pools; pools between these count as
 * endless. It is the dual bound of optimal routing: for any prices of the currencies, a trader gains at most the value
 * of the input plus what each pool loses to an arbitrageur at these prices. At the best marginal rates to the output no
 * pool loses anything. With a lower price of the input, only its own pools do; with lower prices of all but the
 * output, only pools of the output.
 * @source Angeris, Chitra, Evans and Boyd, Optimal Routing for Constant Function Market Makers, 2022
 */
export function impactBound(
  graph: PoolGraph,
  input: Address,
  output: Address,
  maxHops: number,
): ImpactBound {
  if (input === output) return [{ rate: 1, extra: 0 }]
  const { currencyNumbers, edgesFrom, outputs } = graph.topology
  const start = currencyNumbers.get(input)
  const end = currencyNumbers.get(output)
  if (start === undefined || end === undefined) return [{ rate: 0, extra: 0 }]
  const table = ratesTo(graph, end, maxHops)
  const best = table[maxHops]?.[start] as number
  if (best === 0) return [{ rate: 0, extra: 0 }]
  const behind = table[maxHops - 1] as Float64Array
  const direct = table[1] as Float64Array
  const starting = edgesFrom[start] as readonly number[]
  const ending = (edgesFrom[end] as readonly number[]).map(reverseEdge)
  const between = starting.filter((edge) => outputs[edge] === end)
  const startCuts = cutsOf(starting, (edge, cutOff) => {
    const next = outputs[edge] as number
    return next === end ? 0 : poolLoss(graph, edge, cutOff * best, behind[next] as number)
  })
  const endCuts = cutsOf(ending, (edge, cutOff) => {
    const from = outputs[reverseEdge(edge)] as number
    return from === start ? 0 : poolLoss(graph, edge, cutOff * (direct[from] as number), 1)
  })
  return endCuts.flatMap((last) =>
    startCuts.map((first) => {
      const rate = first.cutOff * last.cutOff * best
      const extra = last.cutOff * first.loss + last.loss
      return { rate, extra: extra + sumOf(between, (edge) => poolLoss(graph, edge, rate, 1)) }
    }),
  )
}

/** A currency with more pools than this is no bottleneck. */
const maxPools = 32

/** The loss of all pools at an end of the routes, by cut-off. */
function cutsOf(edges: readonly number[], lossOf: (edge: number, cutOff: number) => number) {
  const used = edges.length > maxPools ? cutOffs.slice(0, 1) : cutOffs
  return used.map((cutOff) => ({ cutOff, loss: sumOf(edges, (edge) => lossOf(edge, cutOff)) }))
}

const sumOf = (edges: readonly number[], worthOf: (edge: number) => number): number => {
  let sum = 0
  for (const edge of edges) sum += worthOf(edge)
  return sum
}

const scratch = new Float64Array(edgeSize)

/**
 * What the pool of an edge loses to an arbitrageur who trades it to these prices: the maximum over the input x of
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
    if (bought <= paid) return loss
    const capacityIn = scratch[capacity] as number
    const input = (Math.sqrt(bought / paid) - 1) * (scratch[reserveIn] as number)
    if (input <= capacityIn) return loss + (Math.sqrt(bought) - Math.sqrt(paid)) ** 2
    loss +=
      (bought * capacityIn) / ((scratch[reserveIn] as number) + capacityIn) - priceIn * capacityIn
    enterNextRange(scratch, 0, shape, isZeroForOne(edge))
  }
}
