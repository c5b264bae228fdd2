/** Cached powers up to 10^78, for speed: each price converts a hundred amounts. */
const powers = Array.from({ length: 79 }, (_, exponent) => 10n ** BigInt(exponent))

/** 10^exponent. `exponent` is not negative. */
export const powerOfTen = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent)
