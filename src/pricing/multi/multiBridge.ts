import { NoPriceError } from '#src/pricing/failures.ts'
import type { FillSide } from '#src/pricing/fees/relayFees.ts'
import type { LegTask } from '#src/pricing/leg/leg.ts'
import { withoutLimits } from '#src/pricing/leg/routeLimits.ts'
import type { Asset, Market } from '#src/pricing/market.ts'
import { marketOf } from '#src/pricing/marketOf.ts'
import type { MultiOrder } from '#src/pricing/multiOrder.ts'
import type { Amount } from '#src/units/amount.ts'
import type { Currency } from '#src/units/currency.ts'
import { amountWorth, type UsdPrice } from '#src/units/usd.ts'
import { type Source, sourcesOf } from './bridgeOrigin.ts'

/** One asset that the solver takes from the order's origins and pays out once: all sums are in the payout currency. */
export type MultiBridge = Readonly<{
  sources: readonly Source[]
  payout: Currency
  /** The fill, as if what is paid in were deposited in the payout currency. */
  fill: FillSide
  /** From the payout to the order's currency. */
  task: LegTask
  payoutPrice: UsdPrice
  /** The schedule's flat part: once, however many pay in. */
  flat: Amount
}>

/** @throws NoPriceError where the flat fee cannot be converted. */
export function createMultiBridge(
  order: MultiOrder,
  market: Market,
  { asset, payout }: Readonly<{ asset: Asset; payout: Currency }>,
): MultiBridge {
  const destination = marketOf(market, order.destination)
  const price = destination.usdPrices.get(payout.address)
  if (price === undefined) throw new NoPriceError(payout)
  return {
    sources: sourcesOf(order, market, { asset, payout }),
    payout,
    payoutPrice: price,
    fill: { origin: destination, destination, deposit: payout, payout, calls: order },
    task: { market: destination, input: payout, output: order.destination, limits: withoutLimits },
    flat: amountWorth(market.feeSchedule.flat, payout.decimals, price),
  }
}
