import { type Amount, toAmount } from '#src/units/amount.ts'
import type { ConcentratedPool, PoolSwap, Side } from './pool.ts'
import { crossRange, swapWithinRange } from './swapMath.ts'
import { getTickAtSqrtRatio, minSqrtRatio } from './tickMath.ts'
import {
  firstRungAhead,
  type Ladder,
  ladderOf,
  type Rung,
  rungAtTotal,
  type Standing,
} from './tickTable.ts'

/**
 * A swap of all of `amount`, which is given on `side`, without a price limit of its own.
 *
 * The contract walks from boundary to boundary. The ladder holds what those steps come to; so what is
 * left is the way to the first rung, a search for the rung that uses up the amount, and the step that
 * ends short of it.
 *
 * Undefined where the pool is not initialised or its liquidity ends before the amount does.
 * @source v3-core UniswapV3Pool.swap
 */
export function swapConcentrated(
  pool: ConcentratedPool,
  zeroForOne: boolean,
  side: Side,
  amount: Amount,
): PoolSwap | undefined {
  // The lowest price of all, which only a pool's first may be, lies beyond the limit already.
  if (zeroForOne && pool.sqrtPriceX96 <= minSqrtRatio) return undefined
  const ladder = ladderOf(pool.ticks, zeroForOne, pool.fee)
  const { rungs, fee } = ladder
  const first = firstRungAhead(ladder, pool)
  const ahead = rungs[first]
  if (ahead === undefined) return undefined
  const begin = standingBefore(ahead, pool, fee)

  const total = begin[side] + amount
  const last = rungAtTotal(ladder, first, side, total)
  const rung = rungs[last]
  if (rung === undefined) return undefined
  const before = last === first ? begin : (rungs[last - 1] ?? begin)
  const end = rung[side] === total ? rung : standingShortOf(rung, before, { side, total }, ladder)
  const { sqrtPriceX96, tick, liquidity } = end
  return {
    amountIn: toAmount(end.amountIn - begin.amountIn),
    amountOut: toAmount(end.amountOut - begin.amountOut),
    ticksCrossed: end.ticksCrossed - begin.ticksCrossed,
    next: { ...pool, sqrtPriceX96, tick, liquidity },
  }
}

/** The pool as it is, with totals as if it were the rung before `ahead`. */
function standingBefore(ahead: Rung, pool: ConcentratedPool, fee: bigint): Standing {
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

/** After the swap's last step, which begins at `before` and brings `side` to `total`. */
function standingShortOf(
  rung: Rung,
  before: Standing,
  { side, total }: Readonly<{ side: Side; total: bigint }>,
  { zeroForOne, fee }: Ladder,
): Standing {
  const { sqrtPriceX96, liquidity } = before
  const step = swapWithinRange(sqrtPriceX96, zeroForOne, liquidity, side, total - before[side], fee)
  const amountIn = before.amountIn + step.amountIn
  const amountOut = before.amountOut + step.amountOut
  if (step.sqrtPriceX96 === rung.sqrtPriceX96) return { ...rung, amountIn, amountOut }
  return {
    sqrtPriceX96: step.sqrtPriceX96,
    // A price that has not moved keeps the tick it has: just below its own, after a fall to a tick.
    tick: step.sqrtPriceX96 === sqrtPriceX96 ? before.tick : getTickAtSqrtRatio(step.sqrtPriceX96),
    liquidity,
    amountIn,
    amountOut,
    ticksCrossed: before.ticksCrossed,
  }
}
