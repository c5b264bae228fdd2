import type { Pool } from '#src/pools/pool.ts'
import type { PoolGraph } from '#src/pricing/router/graph.ts'
import { isZeroForOne, poolOfEdge } from './topology.ts'
import {
  type Depths,
  depthSize,
  enterNextRange,
  type PoolShape,
  range,
  reserveIn,
  reserveOut,
  room,
} from './virtualReserves.ts'

/** The pools during one search, in floating point: swaps are tried here and undone again. */
export type Trial = Readonly<{
  graph: PoolGraph
  depths: Depths
  /** By edge: 1 where no path may go. */
  closed: Uint8Array
}>

/** Pools as they stand in the graph. Those that are not allowed are closed both ways. */
export function createTrial(
  graph: PoolGraph,
  allowsPool: ((pool: Pool) => boolean) | undefined,
): Trial {
  const closed = new Uint8Array(2 * graph.pools.length)
  if (allowsPool !== undefined)
    graph.pools.forEach((pool, number) => {
      if (!allowsPool(pool)) closed.fill(1, 2 * number, 2 * number + 2)
    })
  return { graph, depths: graph.depths.slice(), closed }
}

/** What the first unit paid into an edge buys; 0 where there is nothing to buy. */
export const rateOf = ({ depths }: Trial, edge: number): number =>
  (depths[edge * depthSize + reserveOut] as number) /
  (depths[edge * depthSize + reserveIn] as number)

/** Where a walk through ranges ends. One for all: hot loops would spend their time in allocation. */
const landing: Depths = new Float64Array(depthSize)

/** What `amountIn` buys. Input that finds no liquidity any more buys nothing. */
export function outputFor(trial: Trial, edge: number, amountIn: number): number {
  const offset = edge * depthSize
  const paid = trial.depths[offset + reserveIn] as number
  const bought = trial.depths[offset + reserveOut] as number
  return amountIn <= (trial.depths[offset + room] as number)
    ? (bought * amountIn) / (paid + amountIn)
    : walkInput(trial, edge, amountIn)
}

/** What all of `amountIn` buys: 0 where there is not enough liquidity for that. */
export function outputForAll(trial: Trial, edge: number, amountIn: number): number {
  const fits = trial.depths[edge * depthSize + room] as number
  const amountOut = outputFor(trial, edge, amountIn)
  return amountIn > fits && landing[reserveOut] === 0 ? 0 : amountOut
}

/** What has to be paid for `amountOut`; Infinity where there is not that much to buy. */
export function inputFor(trial: Trial, edge: number, amountOut: number): number {
  const shape = land(trial, edge)
  let amountIn = 0
  let rest = amountOut
  for (;;) {
    const paid = landing[reserveIn] as number
    const bought = landing[reserveOut] as number
    const fits = landing[room] as number
    const inRange = fits === Number.POSITIVE_INFINITY ? bought : (bought * fits) / (paid + fits)
    if (rest < inRange) return amountIn + (paid * rest) / (bought - rest)
    if (fits === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY
    amountIn += fits
    rest -= inRange
    enterNextRange(landing, 0, shape, isZeroForOne(edge))
  }
}

/** As `outputFor`, and the pool stays as the swap leaves it. */
export function trialSwap(trial: Trial, edge: number, amountIn: number): number {
  const { depths, graph } = trial
  const offset = edge * depthSize
  if (amountIn > (depths[offset + room] as number)) {
    const amountOut = walkInput(trial, edge, amountIn)
    depths.set(landing, offset)
    return amountOut
  }
  const { ranges, kept } = graph.shapes[poolOfEdge(edge)] as PoolShape
  const paid = depths[offset + reserveIn] as number
  const bought = depths[offset + reserveOut] as number
  const amountOut = (bought * amountIn) / (paid + amountIn)
  // A constant product's fee goes into its reserves, a concentrated pool's into an account aside.
  depths[offset + reserveIn] = paid + (ranges === undefined ? amountIn / kept : amountIn)
  depths[offset + reserveOut] = bought - amountOut
  depths[offset + room] = (depths[offset + room] as number) - amountIn
  return amountOut
}

/** The edge as it stands in the graph. */
export function undoSwaps({ depths, graph }: Trial, edge: number): void {
  const end = (edge + 1) * depthSize
  for (let i = edge * depthSize; i < end; i++) depths[i] = graph.depths[i] as number
}

/** All that an edge can take in, before more of it buys nothing, and what that buys. */
export function wholeOf(trial: Trial, edge: number): Readonly<{ takes: number; gives: number }> {
  const shape = land(trial, edge)
  let takes = 0
  let gives = 0
  for (;;) {
    const fits = landing[room] as number
    if (fits === Number.POSITIVE_INFINITY) return { takes, gives }
    takes += fits
    gives += ((landing[reserveOut] as number) * fits) / ((landing[reserveIn] as number) + fits)
    enterNextRange(landing, 0, shape, isZeroForOne(edge))
  }
}

/** How many ranges further a swap would end: as many initialised ticks as it crosses, or nearly. */
export function crossingsFor(trial: Trial, edge: number, amountIn: number): number {
  const offset = edge * depthSize
  if (amountIn <= (trial.depths[offset + room] as number)) return 0
  walkInput(trial, edge, amountIn)
  return distance(trial.depths[offset + range] as number, landing[range] as number)
}

/** How many ranges further than in the graph the edge stands. */
export function rangesCrossed({ depths, graph }: Trial, edge: number): number {
  const offset = edge * depthSize + range
  return distance(graph.depths[offset] as number, depths[offset] as number)
}

/** Where a pool has run dry the number of its last range is lost. */
const distance = (before: number, now: number): number =>
  before < 0 || now < 0 ? 0 : Math.abs(now - before)

/** Leaves in `landing` how the edge stands after `amountIn`, which is more than fits its range. */
function walkInput(trial: Trial, edge: number, amountIn: number): number {
  const shape = land(trial, edge)
  let amountOut = 0
  let rest = amountIn
  for (;;) {
    const paid = landing[reserveIn] as number
    const bought = landing[reserveOut] as number
    const fits = landing[room] as number
    if (rest <= fits) {
      const last = (bought * rest) / (paid + rest)
      landing[reserveIn] = paid + rest
      landing[reserveOut] = bought - last
      landing[room] = fits - rest
      return amountOut + last
    }
    amountOut += (bought * fits) / (paid + fits)
    rest -= fits
    enterNextRange(landing, 0, shape, isZeroForOne(edge))
  }
}

function land({ depths, graph }: Trial, edge: number): PoolShape {
  const start = edge * depthSize
  for (let i = 0; i < depthSize; i++) landing[i] = depths[start + i] as number
  return graph.shapes[poolOfEdge(edge)] as PoolShape
}
