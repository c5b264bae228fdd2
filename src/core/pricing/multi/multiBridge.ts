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
import { type BridgeOrigin, bridgeOrigins } from './bridgeOrigin.ts'

/** One asset that the solver takes from the origins and pays out once. All sums are in the payout currency. */
export type MultiBridge = Readonly<{
  origins: readonly BridgeOrigin[]
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
  { flat }: Pick<MultiBridge, 'flat'>,
  origins: readonly Pick<BridgeOrigin, 'settlement'>[],
): Amount => toAmount(origins.reduce((sum, { settlement }) => sum + settlement, BigInt(flat)))

/** @throws NoPriceError if the payout or the native currency of an origin has no price. */
export function createMultiBridge(
  order: MultiOrder,
  market: Market,
  { asset, payout }: Readonly<{ asset: Asset; payout: Currency }>,
): MultiBridge {
  const destination = marketOf(market, order.destination)
  const { price } = requireUsdQuoted(destination, payout)
  return {
    origins: bridgeOrigins(order, market, { asset, payout }),
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
