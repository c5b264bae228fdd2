import type { SwapMode } from '#src/core/pools/poolKind.ts'
import { divUp, mulDivUp } from '#src/core/units/arithmetic.ts'

/** A move of the price through constant liquidity. `amountIn` includes the fee of the pool. */
type SwapStep = Readonly<{ sqrtPriceX96: bigint; amountIn: bigint; amountOut: bigint }>

const pipsPerUnit = 1_000_000n

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
  const lessFee = (amount * (pipsPerUnit - fee)) / pipsPerUnit
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
  return beforeFee + mulDivUp(beforeFee, fee, pipsPerUnit - fee)
}

const outputBetween = (current: bigint, target: bigint, liquidity: bigint): bigint =>
  current >= target
    ? getAmount1Down(target, current, liquidity)
    : getAmount0Down(current, target, liquidity)

const one96 = 1n << 96n
const pastUint256 = 1n << 256n

/**
 * The price after an input of `amountIn` without its fee, rounded so that it does not move further than the input pays
 * for.
 * @source v3-core SqrtPriceMath.getNextSqrtPriceFromInput
 */
export const getNextSqrtPriceFromInput = (
  sqrtPriceX96: bigint,
  liquidity: bigint,
  amountIn: bigint,
  zeroForOne: boolean,
): bigint =>
  zeroForOne
    ? addAmount0(sqrtPriceX96, liquidity, amountIn)
    : sqrtPriceX96 + (amountIn << 96n) / liquidity

/**
 * The price after an output of `amountOut`, rounded so that it moves far enough.
 * @throws RangeError if the pool holds less, where the contract reverts.
 * @source v3-core SqrtPriceMath.getNextSqrtPriceFromOutput
 */
export const getNextSqrtPriceFromOutput = (
  sqrtPriceX96: bigint,
  liquidity: bigint,
  amountOut: bigint,
  zeroForOne: boolean,
): bigint =>
  zeroForOne
    ? takeAmount1(sqrtPriceX96, liquidity, amountOut)
    : takeAmount0(sqrtPriceX96, liquidity, amountOut)

/**
 * Rounded up. If the divisor does not fit in 256 bits, the contract uses a coarser formula.
 * @source v3-core SqrtPriceMath.getNextSqrtPriceFromAmount0RoundingUp with add
 */
function addAmount0(sqrtPriceX96: bigint, liquidity: bigint, amount: bigint): bigint {
  const numerator = liquidity << 96n
  const denominator = numerator + amount * sqrtPriceX96
  return denominator < pastUint256
    ? mulDivUp(numerator, sqrtPriceX96, denominator)
    : divUp(numerator, numerator / sqrtPriceX96 + amount)
}

/**
 * Rounded up.
 * @source v3-core SqrtPriceMath.getNextSqrtPriceFromAmount0RoundingUp without add
 */
function takeAmount0(sqrtPriceX96: bigint, liquidity: bigint, amount: bigint): bigint {
  const numerator = liquidity << 96n
  const denominator = numerator - amount * sqrtPriceX96
  if (denominator <= 0n) throw new RangeError(`The pool lacks ${amount} of currency0`)
  return mulDivUp(numerator, sqrtPriceX96, denominator)
}

/**
 * Rounded down.
 * @source v3-core SqrtPriceMath.getNextSqrtPriceFromAmount1RoundingDown without add
 */
function takeAmount1(sqrtPriceX96: bigint, liquidity: bigint, amount: bigint): bigint {
  const next = sqrtPriceX96 - divUp(amount << 96n, liquidity)
  if (next <= 0n) throw new RangeError(`The pool lacks ${amount} of currency1`)
  return next
}

/**
 * The amount of currency0 between two prices, lower price first, rounded up.
 * One division gives the same result as the two nested divisions of the contract.
 * @source v3-core SqrtPriceMath.getAmount0Delta with roundUp
 */
export const getAmount0Up = (lower: bigint, upper: bigint, liquidity: bigint): bigint =>
  divUp((liquidity << 96n) * (upper - lower), upper * lower)

/** Like `getAmount0Up`, rounded down. */
export const getAmount0Down = (lower: bigint, upper: bigint, liquidity: bigint): bigint =>
  ((liquidity << 96n) * (upper - lower)) / (upper * lower)

/**
 * The amount of currency1 between two prices, lower price first, rounded up.
 * @source v3-core SqrtPriceMath.getAmount1Delta with roundUp
 */
export const getAmount1Up = (lower: bigint, upper: bigint, liquidity: bigint): bigint =>
  (liquidity * (upper - lower) + one96 - 1n) >> 96n

/** Like `getAmount1Up`, rounded down. */
export const getAmount1Down = (lower: bigint, upper: bigint, liquidity: bigint): bigint =>
  (liquidity * (upper - lower)) >> 96n
