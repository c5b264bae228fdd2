import { divUp, mulDivUp } from '#src/units/ratio.ts'

const one96 = 1n << 96n
const pastUint160 = 1n << 160n
const pastUint256 = 1n << 256n

/**
 * The price after `amount` of currency0 is added to (or taken from) the pool, rounded up: never so
 * far that less than `amount` would do, and at least so far that `amount` can be paid out.
 * Where a product would not fit in 256 bits the contract takes a coarser formula, and so does this.
 * @throws RangeError where the contract reverts: the pool does not hold that much.
 * @source v3-core SqrtPriceMath.getNextSqrtPriceFromAmount0RoundingUp
 */
function getNextSqrtPriceFromAmount0RoundingUp(
  sqrtPriceX96: bigint,
  liquidity: bigint,
  amount: bigint,
  add: boolean,
): bigint {
  if (amount === 0n) return sqrtPriceX96
  const numerator = liquidity << 96n
  const product = amount * sqrtPriceX96
  if (add) {
    const denominator = numerator + product
    return denominator < pastUint256
      ? mulDivUp(numerator, sqrtPriceX96, denominator)
      : divUp(numerator, numerator / sqrtPriceX96 + amount)
  }
  if (product >= pastUint256 || numerator <= product)
    throw new RangeError(`The pool lacks ${amount} of currency0`)
  return toUint160(mulDivUp(numerator, sqrtPriceX96, numerator - product))
}

/**
 * The price after `amount` of currency1 is added to (or taken from) the pool, rounded down.
 * @throws RangeError where the contract reverts: the pool does not hold that much, or no price is so high.
 * @source v3-core SqrtPriceMath.getNextSqrtPriceFromAmount1RoundingDown
 */
function getNextSqrtPriceFromAmount1RoundingDown(
  sqrtPriceX96: bigint,
  liquidity: bigint,
  amount: bigint,
  add: boolean,
): bigint {
  const scaled = amount << 96n
  if (add) return toUint160(sqrtPriceX96 + scaled / liquidity)
  const next = sqrtPriceX96 - divUp(scaled, liquidity)
  if (next <= 0n) throw new RangeError(`The pool lacks ${amount} of currency1`)
  return next
}

function toUint160(price: bigint): bigint {
  if (price >= pastUint160) throw new RangeError(`No price fits in 160 bits: ${price}`)
  return price
}

/**
 * The price after `amountIn`, less than which moves it less far.
 * @source v3-core SqrtPriceMath.getNextSqrtPriceFromInput
 */
export const getNextSqrtPriceFromInput = (
  sqrtPriceX96: bigint,
  liquidity: bigint,
  amountIn: bigint,
  zeroForOne: boolean,
): bigint =>
  zeroForOne
    ? getNextSqrtPriceFromAmount0RoundingUp(sqrtPriceX96, liquidity, amountIn, true)
    : getNextSqrtPriceFromAmount1RoundingDown(sqrtPriceX96, liquidity, amountIn, true)

/**
 * The price that pays `amountOut`.
 * @throws RangeError when there is less in the pool.
 * @source v3-core SqrtPriceMath.getNextSqrtPriceFromOutput
 */
export const getNextSqrtPriceFromOutput = (
  sqrtPriceX96: bigint,
  liquidity: bigint,
  amountOut: bigint,
  zeroForOne: boolean,
): bigint =>
  zeroForOne
    ? getNextSqrtPriceFromAmount1RoundingDown(sqrtPriceX96, liquidity, amountOut, false)
    : getNextSqrtPriceFromAmount0RoundingUp(sqrtPriceX96, liquidity, amountOut, false)

/**
 * Currency0 between two prices, the lower one given first, rounded up.
 * One division is exact here: the contract's two nested ones round the same way.
 * @source v3-core SqrtPriceMath.getAmount0Delta with roundUp
 */
export const getAmount0Up = (lower: bigint, upper: bigint, liquidity: bigint): bigint =>
  divUp((liquidity << 96n) * (upper - lower), upper * lower)

/** The same rounded down. */
export const getAmount0Down = (lower: bigint, upper: bigint, liquidity: bigint): bigint =>
  ((liquidity << 96n) * (upper - lower)) / (upper * lower)

/**
 * Currency1 between two prices, the lower one given first, rounded up.
 * @source v3-core SqrtPriceMath.getAmount1Delta with roundUp
 */
export const getAmount1Up = (lower: bigint, upper: bigint, liquidity: bigint): bigint =>
  (liquidity * (upper - lower) + one96 - 1n) >> 96n

/** The same rounded down. */
export const getAmount1Down = (lower: bigint, upper: bigint, liquidity: bigint): bigint =>
  (liquidity * (upper - lower)) >> 96n
