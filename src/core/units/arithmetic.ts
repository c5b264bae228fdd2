/** `a × b ÷ divisor`, rounded down. Operands are not negative. */
export const mulDivDown = (a: bigint, b: bigint, divisor: bigint): bigint => (a * b) / divisor

/** `a × b ÷ divisor`, rounded up. Operands are not negative. */
export const mulDivUp = (a: bigint, b: bigint, divisor: bigint): bigint =>
  (a * b + divisor - 1n) / divisor

/** `dividend ÷ divisor`, rounded up. Operands are not negative. */
export const divUp = (dividend: bigint, divisor: bigint): bigint =>
  (dividend + divisor - 1n) / divisor

/** `dividend ÷ divisor`, rounded to nearest. `divisor` is positive; halves round away from zero. */
export function divNearest(dividend: bigint, divisor: bigint): bigint {
  const magnitude = dividend < 0n ? -dividend : dividend
  const rounded = (2n * magnitude + divisor) / (2n * divisor)
  return dividend < 0n ? -rounded : rounded
}

/** Cached powers up to 10^78, for speed: each price converts a hundred amounts. */
const powers = Array.from({ length: 79 }, (_, exponent) => 10n ** BigInt(exponent))

/** 10^exponent. `exponent` is not negative. */
export const powerOfTen = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent)
