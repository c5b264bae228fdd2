import { toUsd, type Usd } from '#src/units/usd.ts'
import type { Impact } from './price.ts'

/** A gain, or negative a loss, of `usd` against an input that is worth `inputUsd`. */
export const impactOf = (usd: bigint, inputUsd: Usd): Impact => ({
  usd: toUsd(usd),
  percentHundredths: inputUsd === 0n ? 0n : divNearest(usd * 10_000n, inputUsd),
})

/** `divisor` is positive; halves go away from zero. */
function divNearest(dividend: bigint, divisor: bigint): bigint {
  const magnitude = dividend < 0n ? -dividend : dividend
  const rounded = (2n * magnitude + divisor) / (2n * divisor)
  return dividend < 0n ? -rounded : rounded
}
