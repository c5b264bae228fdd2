import { isOneErc20 } from '#src/core/pricing/leg/leg.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import { assetOf } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Operation } from '#src/core/pricing/price.ts'
import { isNative, isSameCurrency } from '#src/core/units/currency.ts'

type Ends = Pick<Order, 'origin' | 'destination'>

/** The kind of an order, by its two currencies alone. On one chain it does not depend on who swaps. */
export function operationOf(
  order: Ends,
  market: Market,
  chains: Readonly<Record<'origin' | 'destination', ChainMarket>>,
): Operation {
  const { origin, destination } = order
  if (chains.origin !== chains.destination) return isSameAsset(market, order) ? 'bridge' : 'swap'
  if (!isOneErc20(chains.origin, origin, destination)) return 'swap'
  if (isSameCurrency(origin, destination)) return 'send'
  return isNative(origin.address) ? 'wrap' : 'unwrap'
}

/** Whether both currencies are the same asset, so that nothing is traded. */
export function isSameAsset(market: Market, { origin, destination }: Ends): boolean {
  if (isSameCurrency(origin, destination)) return true
  const asset = assetOf(market, origin)
  return asset !== undefined && asset === assetOf(market, destination)
}
