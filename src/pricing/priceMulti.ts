import { checkTxs } from './checkOptions.ts'
import { RefusedCurrencyError } from './failures.ts'
import type { Market } from './market.ts'
import { chooseMultiBridge } from './multi/chooseMultiBridge.ts'
import { namingOrigin } from './multi/namingOrigin.ts'
import { marketOf } from './multi/source.ts'
import { summarizeMulti } from './multi/summarizeMulti.ts'
import type { MultiOrder } from './multiOrder.ts'
import type { MultiPrice } from './multiPrice.ts'

/**
 * What a multi-input order comes to on `market`: the same answer for the same two values, in whatever order its origins
 * are given. The market holds all of the order's chains.
 *
 * All origins pay in one asset, which one payment pays out of. Origins of one chain are swapped one after the other, each
 * on the pools that those before it leave. For an exact output the origins' amounts are the most that may be taken: the
 * best rates are taken first, in US dollars, as long as a deposit is worth its gas; the last origin pays in just what is
 * missing, and those that are not needed pay nothing.
 * @throws AppError with the code, and the origin or the leg, of what stands in the way.
 */
export function priceMulti(order: MultiOrder, market: Market): MultiPrice {
  const { origins, destination } = order
  for (const [place, { currency }] of origins.entries()) {
    const reason = marketOf(market, currency).refusedCurrencies.get(currency.address)
    if (reason !== undefined)
      throw namingOrigin(place, new RefusedCurrencyError(currency, 'origin', reason))
  }
  const chain = marketOf(market, destination)
  const reason = chain.refusedCurrencies.get(destination.address)
  if (reason !== undefined) throw new RefusedCurrencyError(destination, 'destination', reason)
  const crossing = chooseMultiBridge(order, market)
  checkTxs(order, chain, crossing.destinationLeg.amountOut)
  return summarizeMulti(order, market, crossing)
}
