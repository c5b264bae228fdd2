import type { CurrencyAmount, ExpandedPriceImpact, Fees, Impact } from '#src/core/pricing/price.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'

/** The impact of the whole order, and of its swaps alone: without relayer and app fees. */
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

/** A gain of `usd`, or a loss if negative, relative to the value of the input. */
export const impactOf = (usd: bigint, inputUsd: Usd): Impact => ({
  usd: toUsd(usd),
  percentHundredths: inputUsd === 0n ? 0n : divNearest(usd * 10_000n, inputUsd),
})

/** `divisor` is positive; halves round away from zero. */
function divNearest(dividend: bigint, divisor: bigint): bigint {
  const magnitude = dividend < 0n ? -dividend : dividend
  const rounded = (2n * magnitude + divisor) / (2n * divisor)
  return dividend < 0n ? -rounded : rounded
}

/**
 * The total impact by component. Execution and service add up exactly to the relayer fee, because the service takes the
 * rounding difference. The swap is the rest.
 * @param executionUsd the value of relayerGas and the flat part of relayerService together.
 */
export function expandImpact(
  currencyIn: CurrencyAmount,
  currencyOut: CurrencyAmount,
  { relayer, app, subsidized }: Fees,
  executionUsd: Usd | undefined,
): ExpandedPriceImpact {
  const service = minus(executionUsd, relayer.usd)
  const total = minus(currencyOut.usd, currencyIn.usd)
  const charged = plus(relayer.usd, app.usd)
  return {
    swap: plus(total, charged),
    execution: minus(toUsd(0n), executionUsd),
    service,
    app: minus(toUsd(0n), app.usd),
    sponsored: subsidized.usd,
  }
}

const plus = (one: Usd | undefined, other: Usd | undefined): Usd | undefined =>
  one === undefined || other === undefined ? undefined : toUsd(one + other)

const minus = (one: Usd | undefined, other: Usd | undefined): Usd | undefined =>
  one === undefined || other === undefined ? undefined : toUsd(one - other)
