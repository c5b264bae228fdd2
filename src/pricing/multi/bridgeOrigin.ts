import { assetOf, pairBps } from '#src/pricing/asset.ts'
import type { LegTask } from '#src/pricing/leg/leg.ts'
import { withoutLimits } from '#src/pricing/leg/routeLimits.ts'
import type { Asset, ChainMarket, Market } from '#src/pricing/market.ts'
import { marketOf } from '#src/pricing/marketOf.ts'
import type { MultiOrder, Origin } from '#src/pricing/multiOrder.ts'
import type { Bps } from '#src/units/bps.ts'
import type { Currency } from '#src/units/currency.ts'

/** An origin over one asset: from what its account has to what the solver takes for it. */
export type Source = Readonly<{
  origin: Origin
  /** Its place among the order's origins, as they were given. */
  place: number
  market: ChainMarket
  /** What the depository receives, and what the solver pays out for it. */
  deposit: Currency
  payout: Currency
  /** From the origin's currency to the deposit. */
  task: LegTask
  /** The schedule's part by class of the pair. */
  bps: Bps
}>

/**
 * The order's origins from whose chains the solver takes `asset`: by chain, currency, account and amount, so that
 * nothing hangs on the order in which they were given.
 */
export function sourcesOf(
  order: MultiOrder,
  market: Market,
  { asset, payout }: Readonly<{ asset: Asset; payout: Currency }>,
): readonly Source[] {
  const destination = assetOf(market, order.destination)
  return order.origins
    .map((origin, place) => ({ origin, place }))
    .toSorted((one, other) => compareOrigins(one.origin, other.origin))
    .flatMap(({ origin, place }): Source[] => {
      const deposit = asset.currencies.get(origin.currency.chainId)
      if (deposit === undefined) return []
      const chain = marketOf(market, origin.currency)
      const task = { market: chain, input: origin.currency, output: deposit, limits: withoutLimits }
      const bps = pairBps(market.feeSchedule, assetOf(market, origin.currency), destination)
      return [{ origin, place, market: chain, deposit, payout, task, bps }]
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
