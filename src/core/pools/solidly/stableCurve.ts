/** The contract computes stable pools in 18 decimals, whatever the decimals of their currencies. */
export const whole = 10n ** 18n

const pastUint256 = 1n << 256n
const maxRounds = 255

/** The value itself, which must fit in 256 bits. @throws RangeError where the contract reverts. */
export function fits(value: bigint): bigint {
  if (value >= pastUint256) throw new RangeError('The contract reverts: a number exceeds 256 bits')
  return value
}

/**
 * x³y + xy³, both in 18 decimals, rounded down at each step.
 * @throws RangeError where the contract reverts.
 * @source Aerodrome Pool._f
 */
export function invariant(x: bigint, y: bigint): bigint {
  const product = fits(x * y) / whole
  const squares = fits(x * x) / whole + fits(y * y) / whole
  return fits(product * squares) / whole
}

/** The derivative of `invariant` by y. @source Aerodrome Pool._d */
const slope = (x: bigint, y: bigint): bigint =>
  fits(3n * x * (fits(y * y) / whole)) / whole + fits((fits(x * x) / whole) * x) / whole

/**
 * The reserve y that belongs to the reserve x at the invariant `k`, all in 18 decimals. Newton's method from `start`,
 * with the steps of the contract.
 * @param scaledInvariant `_k` of the contract, which scales both amounts by the decimals of the currencies first. It
 * equals `invariant` for currencies with 18 decimals.
 * @throws RangeError where the contract reverts: on an overflow, or if the method does not converge.
 * @source Aerodrome Pool._get_y
 */
export function reserveAt(
  x: bigint,
  k: bigint,
  start: bigint,
  scaledInvariant: (x: bigint, y: bigint) => bigint,
): bigint {
  let y = start
  for (let round = 0; round < maxRounds; round++) {
    const value = invariant(x, y)
    const isBelow = value < k
    const step = stepOf(isBelow ? k - value : value - k, x, y)
    if (isBelow) {
      // The contract asks `_k` here, which scales by the decimals once more.
      if (step === 0n && scaledInvariant(x, y + 1n) > k) return y + 1n
      y += step === 0n ? 1n : step
      continue
    }
    if (step === 0n && (value === k || invariant(x, atLeastZero(y - 1n)) < k)) return y
    y = atLeastZero(y - (step === 0n ? 1n : step))
  }
  throw new RangeError('The contract reverts: the reserve does not converge')
}

function stepOf(difference: bigint, x: bigint, y: bigint): bigint {
  const rise = slope(x, y)
  if (rise === 0n) throw new RangeError('The contract reverts: it divides by zero')
  return fits(difference * whole) / rise
}

function atLeastZero(value: bigint): bigint {
  if (value < 0n) throw new RangeError('The contract reverts: a number is negative')
  return value
}
