import type { CurrencyAmount, ExpandedPriceImpact, Fees } from '#src/pricing/price.ts'
import { toUsd, type Usd } from '#src/units/usd.ts'

/**
 * What each component moved the output's worth by. Execution and service add up exactly to the relayer
 * fee: the service takes what rounding leaves. The swap is what none of the others accounts for.
 * @param executionUsd what relayerGas and the flat part of relayerService are worth together.
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
