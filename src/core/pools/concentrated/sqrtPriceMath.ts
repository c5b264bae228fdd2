import { divUp, mulDivUp } from '#src/core/units/mulDiv.ts'

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
