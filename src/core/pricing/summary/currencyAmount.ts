import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { CurrencyAmount } from '#src/core/pricing/price.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { usdValueDown } from '#src/core/units/usd.ts'

/** An amount of a currency on the chain of the market, with its USD value. The whole amount is promised by default. */
export function currencyAmount(
  market: ChainMarket,
  currency: Currency,
  amount: Amount,
  minimumAmount = amount,
): CurrencyAmount {
  const price = market.usdPrices.get(currency.address)
  const usd = price && usdValueDown(amount, currency.decimals, price)
  return { currency, amount, minimumAmount, usd }
}
