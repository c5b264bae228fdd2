import { assetOf } from '#src/pricing/asset.ts'
import { payoutOf } from '#src/pricing/fees/multiRelayFees.ts'
import { payoutFor } from '#src/pricing/fees/relayFees.ts'
import type { Market } from '#src/pricing/market.ts'
import { marketOf } from '#src/pricing/marketOf.ts'
import type { MultiPrice } from '#src/pricing/multiPrice.ts'
import { toAmount } from '#src/units/amount.ts'
import type { Currency } from '#src/units/currency.ts'
import type { MultiCrossing } from './multiCrossing.ts'

/**
 * What amounts of the origins' currencies are worth in the destination currency: as many units where they are of one
 * asset; else by US dollars; and where a price is missing, what the origin's own leg and the destination leg make of it, fees
 * left out. What has no price and pays nothing in is worth nothing.
 */
export function createWorth(
  destination: Currency,
  market: Market,
  { gathered, destinationLeg }: Pick<MultiCrossing, 'gathered' | 'destinationLeg'>,
): MultiPrice['worthOf'] {
  const asset = assetOf(market, destination)
  const price = marketOf(market, destination).usdPrices.get(destination.address)
  return (origin, amount) => {
    const { currency } = origin
    if (asset !== undefined && asset === assetOf(market, currency))
      return payoutFor({ deposit: currency, payout: destination }, amount)
    const own = marketOf(market, currency).usdPrices.get(currency.address)
    if (own !== undefined && price !== undefined)
      return toAmount(
        (amount * own * 10n ** BigInt(destination.decimals)) /
          (price * 10n ** BigInt(currency.decimals)),
      )
    const paying = gathered.find(({ source }) => source.origin === origin)
    if (paying === undefined) return toAmount(0n)
    const payout = (amount * payoutOf(paying)) / paying.leg.amountIn
    return toAmount((payout * destinationLeg.amountOut) / destinationLeg.amountIn)
  }
}
