import { mulDivUp } from '#src/units/mulDiv.ts'
import type { Side } from './pool.ts'
import {
  getAmount0Down,
  getAmount0Up,
  getAmount1Down,
  getAmount1Up,
  getNextSqrtPriceFromInput,
  getNextSqrtPriceFromOutput,
} from './sqrtPriceMath.ts'

/** A move of the price through constant liquidity: the pool's fee is part of what is paid in. */
export type SwapStep = Readonly<{ sqrtPriceX96: bigint; amountIn: bigint; amountOut: bigint }>

const wholePips = 1_000_000n

/**
 * The whole way from one price to another; the direction is theirs.
 *
 * A swap goes the whole way if and only if what is left of it, r, is at least what this takes (or,
 * on exact output, gives). On exact input the contract asks whether ⌊r(w − f) ÷ w⌋ ≥ a, where a is the
 * input before the fee, f the fee and w a million. As a is whole, that is r(w − f) ÷ w ≥ a; and as r is
 * whole, r ≥ ⌈aw ÷ (w − f)⌉ = a + ⌈af ÷ (w − f)⌉: the input together with the fee it takes.
 * @param fee in pips, below a million.
 * @source v3-core SwapMath.computeSwapStep, where sqrtRatioNextX96 is the target
 */
export const crossRange = (
  current: bigint,
  target: bigint,
  liquidity: bigint,
  fee: bigint,
): SwapStep => ({
  sqrtPriceX96: target,
  amountIn: inputBetween(current, target, liquidity, fee),
  amountOut: outputBetween(current, target, liquidity),
})

/**
 * As far as `amount` goes: an amount that is less than the whole way to the next boundary takes or
 * gives. On exact input the fee is whatever the move itself leaves over. On exact output the price may
 * come to the boundary all the same, by rounding.
 * @source v3-core SwapMath.computeSwapStep, where the target is not reached
 */
export function swapWithinRange(
  current: bigint,
  zeroForOne: boolean,
  liquidity: bigint,
  side: Side,
  amount: bigint,
  fee: bigint,
): SwapStep {
  if (side === 'amountOut') {
    const sqrtPriceX96 = getNextSqrtPriceFromOutput(current, liquidity, amount, zeroForOne)
    const amountIn = inputBetween(current, sqrtPriceX96, liquidity, fee)
    return { sqrtPriceX96, amountIn, amountOut: amount }
  }
  const lessFee = (amount * (wholePips - fee)) / wholePips
  const sqrtPriceX96 = getNextSqrtPriceFromInput(current, liquidity, lessFee, zeroForOne)
  return {
    sqrtPriceX96,
    amountIn: amount,
    amountOut: outputBetween(current, sqrtPriceX96, liquidity),
  }
}

function inputBetween(current: bigint, target: bigint, liquidity: bigint, fee: bigint): bigint {
  const beforeFee =
    current >= target
      ? getAmount0Up(target, current, liquidity)
      : getAmount1Up(current, target, liquidity)
  return beforeFee + mulDivUp(beforeFee, fee, wholePips - fee)
}

const outputBetween = (current: bigint, target: bigint, liquidity: bigint): bigint =>
  current >= target
    ? getAmount1Down(target, current, liquidity)
    : getAmount0Down(current, target, liquidity)
