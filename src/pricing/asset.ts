import type { Bps } from '#src/units/bps.ts'
import { type Currency, isNative } from '#src/units/currency.ts'
import type { Asset, FeeSchedule, Market } from './market.ts'

/** The asset that a currency belongs to; a wrapped native currency belongs to its native one's. */
export function assetOf(market: Market, currency: Currency): Asset | undefined {
  return market.assets.find((asset) => {
    const member = asset.currencies.get(currency.chainId)
    if (member === undefined) return false
    if (member.address === currency.address) return true
    const chain = market.chains.get(currency.chainId)?.chain
    return isNative(member.address) && currency.address === chain?.wrappedNative
  })
}

/** The basis points that the schedule charges for a pair: by the assets on its two ends. */
export function pairBps(
  schedule: FeeSchedule,
  origin: Asset | undefined,
  destination: Asset | undefined,
): Bps {
  if (origin === undefined || destination === undefined) return schedule.other
  if (origin === destination) return schedule.sameAsset
  const classes = [origin.class, destination.class]
  if (classes.includes('other')) return schedule.other
  return classes.includes('major') ? schedule.major : schedule.stable
}
