import type { Currency } from '#src/units/currency.ts'
import { checkTxs } from './checkOptions.ts'
import { RefusedCurrencyError } from './failures.ts'
import type { Market } from './market.ts'
import { marketOf } from './marketOf.ts'
import { chooseMultiBridge } from './multi/chooseMultiBridge.ts'
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
  for (const [place, { currency }] of origins.entries())
    refuse(market, currency, { side: 'origin', field: `origins.${place}.currency` })
  refuse(market, destination, { side: 'destination', field: 'destinationCurrency' })
  const crossing = chooseMultiBridge(order, market)
  checkTxs(order, marketOf(market, destination), crossing.destinationLeg.amountOut)
  return summarizeMulti(order, market, crossing)
}

function refuse(
  market: Market,
  currency: Currency,
  named: Readonly<{ side: 'origin' | 'destination'; field: string }>,
): void {
  const reason = marketOf(market, currency).refusedCurrencies.get(currency.address)
  if (reason !== undefined) throw new RefusedCurrencyError(currency, named, reason)
}
