import { assetOf, type ChainMarket, type Market } from '#src/core/pricing/market.ts'
import { requireUsdQuoted } from '#src/core/pricing/usdConversion.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { Bps } from '#src/core/units/bps.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { amountForUsdUp } from '#src/core/units/usd.ts'

/**
 * The flat part of the fee schedule in a currency, rounded up.
 * @throws NoPriceError if the currency has no price.
 */
export function flatFee({ feeSchedule }: Market, chain: ChainMarket, currency: Currency): Amount {
  const { decimals, price } = requireUsdQuoted(chain, currency)
  return amountForUsdUp(feeSchedule.flat, decimals, price)
}

/** The proportional part of the fee schedule, by the assets of the two currencies of an order. */
export function scheduledBps(market: Market, origin: Currency, destination: Currency): Bps {
  const { feeSchedule } = market
  const one = assetOf(market, origin)
  const other = assetOf(market, destination)
  if (one === undefined || other === undefined) return feeSchedule.other
  if (one === other) return feeSchedule.sameAsset
  const classes = [one.class, other.class]
  if (classes.includes('other')) return feeSchedule.other
  return classes.includes('major') ? feeSchedule.major : feeSchedule.stable
}
