import { AppError } from '#src/core/errors.ts'
import { requirePeg } from '#src/core/pricing/crossChain/peg.ts'
import { scheduledBps } from '#src/core/pricing/fees/feeSchedule.ts'
import type { OriginTerms } from '#src/core/pricing/fees/multiRelayFees.ts'
import { settlementCost } from '#src/core/pricing/fees/settlementCost.ts'
import type { LegSwap, LegTask } from '#src/core/pricing/leg/leg.ts'
import { withoutLimits } from '#src/core/pricing/leg/routeLimits.ts'
import { type Asset, type ChainMarket, type Market, marketOf } from '#src/core/pricing/market.ts'
import type { MultiOrder, Origin } from '#src/core/pricing/multiOrder.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'

/** An origin of the order over one asset pair. */
export type AssetPairOrigin = Origin &
  OriginTerms &
  Readonly<{
    /** Its index among the origins of the order, as they were given. */
    index: number
    market: ChainMarket
    /** From the currency of the origin to the deposit. */
    task: LegTask
    /** The cost of the settlement of its deposit, in the payout currency. */
    settlement: Amount
  }>

/** An origin with the leg that it pays in: from its currency to the deposit. */
export type OriginSwap = Readonly<{ origin: AssetPairOrigin; leg: LegSwap }>

/**
 * The origins of the order on chains where the solver takes `asset`. Sorted by chain, currency, account and amount, so
 * that the price does not depend on the order in which they were given.
 */
export function assetPairOrigins(
  order: MultiOrder,
  market: Market,
  { asset, payout }: Readonly<{ asset: Asset; payout: Currency }>,
): readonly AssetPairOrigin[] {
  const paidIn = { market: marketOf(market, payout), currency: payout }
  return order.origins
    .map((origin, index) => ({ ...origin, index }))
    .toSorted(compareOrigins)
    .flatMap((origin): AssetPairOrigin[] => {
      const { currency } = origin
      const deposit = asset.currencies.get(currency.chainId)
      if (deposit === undefined) return []
      const chain = marketOf(market, currency)
      requirePeg(asset, chain, paidIn.market)
      const task = { market: chain, input: currency, output: deposit, limits: withoutLimits }
      const bps = scheduledBps(market, currency, order.destination)
      const settlement = settlementCost({ market: chain, deposit }, {}, paidIn)
      return [{ ...origin, market: chain, deposit, payout, task, bps, settlement }]
    })
}

function compareOrigins(one: Origin, other: Origin): number {
  return (
    one.currency.chainId - other.currency.chainId ||
    compare(one.currency.address, other.currency.address) ||
    compare(one.user, other.user) ||
    compare(one.amount, other.amount)
  )
}

const compare = <Value extends string | bigint>(one: Value, other: Value): number =>
  Number(one > other) - Number(one < other)

/** A failure of one origin, which names the input field of that origin. */
export const originFailure = (
  { index }: AssetPairOrigin,
  { code, message, data }: AppError,
): AppError =>
  new AppError(code, `origins.${index}: ${message}`, { ...data, field: `origins.${index}` })
