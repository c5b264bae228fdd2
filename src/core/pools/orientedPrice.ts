/** An exact ratio of raw units; both parts are positive. */
export type SpotPrice = Readonly<{ numerator: bigint; denominator: bigint }>

/** The price of `ones` of currency1 for `zeros` of currency0, as output per input. Undefined if either is 0. */
export function orientedPrice(
  ones: bigint,
  zeros: bigint,
  zeroForOne: boolean,
): SpotPrice | undefined {
  if (ones === 0n || zeros === 0n) return undefined
  return zeroForOne
    ? { numerator: ones, denominator: zeros }
    : { numerator: zeros, denominator: ones }
}
