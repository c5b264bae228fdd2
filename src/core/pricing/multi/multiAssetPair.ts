import { flatFee } from '#src/core/pricing/fees/feeSchedule.ts'
import { type FillTerms, gasPercentOf } from '#src/core/pricing/fees/fillCost.ts'
import type { LegTask } from '#src/core/pricing/leg/leg.ts'
import { withoutLimits } from '#src/core/pricing/leg/routeLimits.ts'
import { type Asset, type Market, marketOf } from '#src/core/pricing/market.ts'
import type { MultiOrder } from '#src/core/pricing/multiOrder.ts'
import { requireUsdQuoted } from '#src/core/pricing/usdConversion.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { UsdPrice } from '#src/core/units/usd.ts'
import { type AssetPairOrigin, assetPairOrigins } from './assetPairOrigin.ts'

/** One asset that the solver takes from the origins and pays out once. All sums are in the payout currency. */
export type MultiAssetPair = Readonly<{
  origins: readonly AssetPairOrigin[]
  payout: Currency
  payoutPrice: UsdPrice
  /** The fill, as if the deposits were in the payout currency. */
  fill: FillTerms
  /** From the payout to the destination currency of the order. */
  task: LegTask
  /** The flat part of the fee schedule, charged once, however many origins there are. */
  flat: Amount
}>

/** The flat part of the fee schedule, and the settlements of the deposits of these origins. */
export const fixedFee = (
  { flat }: Pick<MultiAssetPair, 'flat'>,
  origins: readonly Pick<AssetPairOrigin, 'settlement'>[],
): Amount => toAmount(origins.reduce((sum, { settlement }) => sum + settlement, BigInt(flat)))

/** @throws NoPriceError if the payout or the native currency of an origin has no price. */
export function createMultiAssetPair(
  order: MultiOrder,
  market: Market,
  { asset, payout }: Readonly<{ asset: Asset; payout: Currency }>,
): MultiAssetPair {
  const destination = marketOf(market, order.destination)
  const { price } = requireUsdQuoted(destination, payout)
  return {
    origins: assetPairOrigins(order, market, { asset, payout }),
    payout,
    payoutPrice: price,
    fill: {
      origin: destination,
      destination,
      deposit: payout,
      payout,
      gasPercent: gasPercentOf(order.output !== undefined),
      calls: order,
    },
    task: { market: destination, input: payout, output: order.destination, limits: withoutLimits },
    flat: flatFee(market, destination, payout),
  }
}
