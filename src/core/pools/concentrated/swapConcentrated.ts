import { givenAmount, type SwapMode, type SwapOf } from '#src/core/pools/poolKind.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { Pips } from '#src/core/units/pips.ts'
import type { ConcentratedPool, TickState } from './concentratedPool.ts'
import { crossRange, swapWithinRange } from './swapMath.ts'
import { getTickAtSqrtRatio, minSqrtRatio } from './tickMath.ts'
import {
  firstStepAhead,
  type SwapState,
  stepAtTotal,
  type TickStep,
  type TickTable,
  tickTableOf,
} from './tickTable.ts'

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
