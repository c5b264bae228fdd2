import { grossPayout } from '#src/core/pricing/fees/multiRelayFees.ts'
import { payoutFor } from '#src/core/pricing/fees/shares.ts'
import { assetOf, type Market, marketOf } from '#src/core/pricing/market.ts'
import type { MultiOrder } from '#src/core/pricing/multiOrder.ts'
import type { MultiPrice } from '#src/core/pricing/multiPrice.ts'
import { usdQuoted } from '#src/core/pricing/usdConversion.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { convertDown } from '#src/core/units/usd.ts'
import type { MultiCrossChainPrice } from './multiCrossChainPrice.ts'

/**
 * The value of amounts of the origins in the destination currency, rounded down. One to one if both currencies are the
 * same asset; else by USD prices; without a price, by the rates of the origin's own leg and the destination leg before
 * fees. An origin without a price that pays nothing in has no value.
 */
export function createOriginValue(
  { destination, origins }: MultiOrder,
  market: Market,
  crossChainPrice: Pick<MultiCrossChainPrice, 'origins' | 'destinationLeg'>,
): MultiPrice['originValueOf'] {
  const asset = assetOf(market, destination)
  const to = usdQuoted(marketOf(market, destination), destination)
  return (origin, amount) => {
    const { currency } = origin
    if (asset !== undefined && asset === assetOf(market, currency))
      return payoutFor({ deposit: currency, payout: destination }, amount)
    const from = usdQuoted(marketOf(market, currency), currency)
    if (from !== undefined && to !== undefined) return convertDown(amount, from, to)
    const swapped = crossChainPrice.origins.find((each) => origins[each.origin.index] === origin)
    if (swapped === undefined) return toAmount(0n)
    const { amountIn, amountOut } = crossChainPrice.destinationLeg
    const payout = (amount * grossPayout(swapped)) / swapped.leg.amountIn
    return toAmount((payout * amountOut) / amountIn)
  }
}
