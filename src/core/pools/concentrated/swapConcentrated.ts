import { givenAmount, type SwapMode, type SwapOf } from '#src/core/pools/poolKind.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { Pips } from '#src/core/units/pips.ts'
import type { ConcentratedPool, TickState } from './concentratedPool.ts'
import { crossRange, swapWithinRange } from './swapMath.ts'
import {
  type Boundary,
  firstWhere,
  getSqrtRatioAtTick,
  getTickAtSqrtRatio,
  highestSqrtPrice,
  liquidityAt,
  lowestSqrtPrice,
  maxTick,
  minSqrtRatio,
  minTick,
  nextBoundary,
  type TickMap,
} from './tickMap.ts'

/**
 * Swaps exactly `amount` without a price limit.
 *
 * The contract walks from one boundary to the next. The tick table has the totals of these steps. So a swap here is
 * the way to the first step, a search for the step that uses up the amount, and the partial step before it.
 *
 * `undefined` if the pool is not initialised or its liquidity ends before the amount does.
 * @source v3-core UniswapV3Pool.swap
 */
export const swapConcentrated = (
  pool: ConcentratedPool,
  zeroForOne: boolean,
  mode: SwapMode,
  amount: Amount,
): SwapOf<ConcentratedPool> | undefined =>
  swapThroughTicks(pool, pool.fee, zeroForOne, mode, amount)

/** As `swapConcentrated`, at this fee on the input. */
export function swapThroughTicks<State extends TickState>(
  pool: State,
  pips: Pips,
  zeroForOne: boolean,
  mode: SwapMode,
  amount: Amount,
): SwapOf<State> | undefined {
  // The minimum price, which only initialisation can set, is already beyond the price limit.
  if (zeroForOne && pool.sqrtPriceX96 <= minSqrtRatio) return undefined
  const table = tickTableOf(pool.ticks, zeroForOne, pips)
  const { steps, fee } = table
  const first = firstStepAhead(table, pool)
  const ahead = steps[first]
  if (ahead === undefined) return undefined
  const begin = stateBefore(ahead, pool, fee)

  const given = givenAmount[mode]
  const total = begin[given] + amount
  const last = stepAtTotal(table, first, given, total)
  const step = steps[last]
  if (step === undefined) return undefined
  const before = last === first ? begin : (steps[last - 1] ?? begin)
  const end = step[given] === total ? step : stateWithin(step, before, { mode, total }, table)
  const { sqrtPriceX96, tick, liquidity } = end
  return {
    amountIn: toAmount(end.amountIn - begin.amountIn),
    amountOut: toAmount(end.amountOut - begin.amountOut),
    ticksCrossed: end.ticksCrossed - begin.ticksCrossed,
    next: { ...pool, sqrtPriceX96, tick, liquidity },
  }
}

/** The current state of the pool, with totals as if it were the step before `ahead`. */
function stateBefore(ahead: TickStep, pool: TickState, fee: bigint): SwapState {
  const { sqrtPriceX96, tick, liquidity } = pool
  const gap = crossRange(sqrtPriceX96, ahead.sqrtPriceX96, liquidity, fee)
  return {
    sqrtPriceX96,
    tick,
    liquidity,
    amountIn: ahead.amountIn - gap.amountIn,
    amountOut: ahead.amountOut - gap.amountOut,
    ticksCrossed: ahead.ticksCrossed - ahead.crosses,
  }
}

/** The state after the partial last step of a swap, from `before` to where the given amount reaches `total`. */
function stateWithin(
  step: TickStep,
  before: SwapState,
  { mode, total }: Readonly<{ mode: SwapMode; total: bigint }>,
  { zeroForOne, fee }: TickTable,
): SwapState {
  const { sqrtPriceX96, liquidity } = before
  const left = total - before[givenAmount[mode]]
  const swapped = swapWithinRange(sqrtPriceX96, zeroForOne, liquidity, mode, left, fee)
  const amountIn = before.amountIn + swapped.amountIn
  const amountOut = before.amountOut + swapped.amountOut
  if (swapped.sqrtPriceX96 === step.sqrtPriceX96) return { ...step, amountIn, amountOut }
  const isUnmoved = swapped.sqrtPriceX96 === sqrtPriceX96
  return {
    sqrtPriceX96: swapped.sqrtPriceX96,
    // A price that has not moved keeps its tick, which after a fall to a tick is one below the tick of its price.
    tick: isUnmoved ? before.tick : getTickAtSqrtRatio(swapped.sqrtPriceX96),
    liquidity,
    amountIn,
    amountOut,
    ticksCrossed: before.ticksCrossed,
  }
}

/** The state of a pool during a swap, with the amounts swapped so far. */
type SwapState = Readonly<{
  sqrtPriceX96: bigint
  /** `slot0.tick` */
  tick: number
  liquidity: bigint
  /** Totals since the start of the table. Only differences between states of one table have a meaning. */
  amountIn: bigint
  amountOut: bigint
  ticksCrossed: number
}>

/** A tick at which a swap stops, and the state of a swap that has just reached it. */
type TickStep = SwapState &
  Readonly<{
    /** Index of the tick. The minimum and maximum tick stand for the price limit. */
    boundary: number
    /** Initialised ticks crossed by this step: 0 at the end of a bitmap word and at a limit. */
    crosses: 0 | 1
  }>

/** The precomputed steps of a tick map in one direction, at one fee, in the order of a swap. */
type TickTable = Readonly<{
  map: TickMap
  zeroForOne: boolean
  /** In pips. */
  fee: bigint
  /** Consecutive steps as far as swaps have needed them: a memo that grows in place. */
  steps: TickStep[]
}>

/** A WeakMap next to the tick maps: equal maps stay equal, and unused maps are collected. */
const tables = new WeakMap<TickMap, readonly TickTable[]>()

/**
 * The table of a tick map, shared by all swaps until a position changes and the pool gets another map: a step does
 * not depend on where the swap started or how much of it remains.
 */
function tickTableOf(map: TickMap, zeroForOne: boolean, fee: number): TickTable {
  const known = tables.get(map) ?? []
  const pips = BigInt(fee)
  for (const table of known) if (table.zeroForOne === zeroForOne && table.fee === pips) return table
  const table = { map, zeroForOne, fee: pips, steps: [] }
  tables.set(map, [...known, table])
  return table
}

/** The position of the first step ahead of a pool; past the last step if no initialised tick lies ahead. */
function firstStepAhead(
  table: TickTable,
  { tick, liquidity }: Readonly<{ tick: number; liquidity: bigint }>,
): number {
  const { map, zeroForOne, steps } = table
  const isAhead = ({ boundary }: TickStep) => (zeroForOne ? boundary <= tick : boundary > tick)
  const [start] = steps
  if (start !== undefined && !isAhead(start)) return findOrGrow(table, 0, isAhead)
  const boundary = nextBoundary(map, tick, zeroForOne, liquidity !== 0n)
  if (boundary === undefined) return steps.length
  // A table grows forwards only. It restarts only if the price is further back than ever, which is rare.
  if (boundary.index !== start?.boundary)
    steps.splice(0, steps.length, {
      ...arrival(zeroForOne, boundary, liquidityAt(map, tick)),
      amountIn: 0n,
      amountOut: 0n,
      ticksCrossed: 0,
    })
  return 0
}

/**
 * The position of the first step, from `start` on, whose total of the `given` amount is at least `total`; past the
 * last step if the liquidity of the pool ends before.
 */
const stepAtTotal = (
  table: TickTable,
  start: number,
  given: 'amountIn' | 'amountOut',
  total: bigint,
): number => findOrGrow(table, start, (step) => step[given] >= total)

function findOrGrow(table: TickTable, start: number, holds: (step: TickStep) => boolean): number {
  const { steps } = table
  for (let last = steps.at(-1); last !== undefined && !holds(last); ) {
    last = stepAfter(table, last)
    if (last !== undefined) steps.push(last)
  }
  return firstWhere(steps, start, holds)
}

function stepAfter({ map, zeroForOne, fee }: TickTable, step: TickStep): TickStep | undefined {
  if (step.boundary === outermostTick(zeroForOne)) return undefined
  const { liquidity } = step
  const boundary = nextBoundary(map, step.tick, zeroForOne, liquidity !== 0n)
  if (boundary === undefined) return undefined
  const next = arrival(zeroForOne, boundary, liquidity)
  const swapped = crossRange(step.sqrtPriceX96, next.sqrtPriceX96, liquidity, fee)
  return {
    ...next,
    amountIn: step.amountIn + swapped.amountIn,
    amountOut: step.amountOut + swapped.amountOut,
    ticksCrossed: step.ticksCrossed + next.crosses,
  }
}

/** The state of a pool after a swap has reached a boundary through `liquidity`. */
function arrival(
  zeroForOne: boolean,
  { index, initialised }: Boundary,
  liquidity: bigint,
): Omit<TickStep, 'amountIn' | 'amountOut' | 'ticksCrossed'> {
  if (index === outermostTick(zeroForOne)) {
    // The price limit is one unit before the outermost tick, so no swap crosses that tick.
    const sqrtPriceX96 = zeroForOne ? lowestSqrtPrice : highestSqrtPrice
    const tick = getTickAtSqrtRatio(sqrtPriceX96)
    return { boundary: index, sqrtPriceX96, tick, liquidity, crosses: 0 }
  }
  const net = initialised?.liquidityNet ?? 0n
  return {
    boundary: index,
    sqrtPriceX96: getSqrtRatioAtTick(index),
    tick: zeroForOne ? index - 1 : index,
    liquidity: zeroForOne ? liquidity - net : liquidity + net,
    crosses: initialised === undefined ? 0 : 1,
  }
}

const outermostTick = (zeroForOne: boolean): number => (zeroForOne ? minTick : maxTick)
