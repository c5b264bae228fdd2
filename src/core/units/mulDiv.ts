/** `a × b ÷ divisor`, rounded down. Operands are not negative. */
export const mulDivDown = (a: bigint, b: bigint, divisor: bigint): bigint => (a * b) / divisor

/** `a × b ÷ divisor`, rounded up. Operands are not negative. */
export const mulDivUp = (a: bigint, b: bigint, divisor: bigint): bigint =>
  (a * b + divisor - 1n) / divisor

/** `dividend ÷ divisor`, rounded up. Operands are not negative. */
export const divUp = (dividend: bigint, divisor: bigint): bigint =>
  (dividend + divisor - 1n) / divisor
