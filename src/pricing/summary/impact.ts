import type { CurrencyAmount, Fees, Impact } from '#src/pricing/price.ts'
import { toUsd, type Usd } from '#src/units/usd.ts'

/** Of the whole order, and of its swaps alone: with relayer and app fees added back. */
export function impactsOf(currencyIn: CurrencyAmount, currencyOut: CurrencyAmount, fees: Fees) {
  if (currencyIn.usd === undefined || currencyOut.usd === undefined)
    return { totalImpact: undefined, swapImpact: undefined }
  const total = currencyOut.usd - currencyIn.usd
  const { relayer, app } = fees
  const swap =
    relayer.usd === undefined || app.usd === undefined ? undefined : total + relayer.usd + app.usd
  return {
    totalImpact: impactOf(total, currencyIn.usd),
    swapImpact: swap === undefined ? undefined : impactOf(swap, currencyIn.usd),
  }
}

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
