/** Most currencies have fewer decimals. The powers are kept because each price converts a hundred amounts. */
const powers = Array.from({ length: 79 }, (_, exponent) => 10n ** BigInt(exponent))

/** 10^exponent. */
export const powerOfTen = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent)
