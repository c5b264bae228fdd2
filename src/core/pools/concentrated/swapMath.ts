import type { SwapMode } from '#src/core/pools/swapMode.ts'
import { mulDivUp } from '#src/core/units/mulDiv.ts'
import {
  getAmount0Down,
  getAmount0Up,
  getAmount1Down,
  getAmount1Up,
  getNextSqrtPriceFromInput,
  getNextSqrtPriceFromOutput,
} from './sqrtPriceMath.ts'

/** A move of the price through constant liquidity. `amountIn` includes the fee of the pool. */
export type SwapStep = Readonly<{ sqrtPriceX96: bigint; amountIn: bigint; amountOut: bigint }>

const wholePips = 1_000_000n

/**
 * The step from the price `current` all the way to `target`, which also give the direction.
 *
 * A swap takes this whole step if and only if its remaining amount r is at least the input (on exact output: the
 * output) of the step. On exact input the contract tests ⌊r(w − f) ÷ w⌋ ≥ a, with the input before the fee a, the fee
 * f and w = 1,000,000. Because a is an integer, this equals r(w − f) ÷ w ≥ a. Because r is an integer, it equals
 * r ≥ ⌈aw ÷ (w − f)⌉ = a + ⌈af ÷ (w − f)⌉, which is the input including its fee.
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
 * The step for an `amount` that does not reach the next boundary. On exact input, the fee is the rest of the input that
 * the move of the price does not need. On exact output, rounding can still move the price to the boundary.
 * @source v3-core SwapMath.computeSwapStep, where the target is not reached
 */
export function swapWithinRange(
  current: bigint,
  zeroForOne: boolean,
  liquidity: bigint,
  mode: SwapMode,
  amount: bigint,
  fee: bigint,
): SwapStep {
  if (mode === 'exactOutput') {
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
