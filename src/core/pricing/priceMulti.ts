import { checkTxs, refuseCurrency } from './checkOrder.ts'
import { type Market, marketOf } from './market.ts'
import { chooseMultiAssetPair } from './multi/chooseMultiAssetPair.ts'
import { summarizeMulti } from './multi/summarizeMulti.ts'
import type { MultiOrder } from './order.ts'
import type { MultiPrice } from './price.ts'

/**
 * Prices a multi-input order on `market`, which must hold all of its chains. A pure function: the same two values
 * always give the same price, and the order of the origins does not matter.
 *
 * All origins deposit the same asset, and the solver makes one payment in it. Swaps on one chain follow each other,
 * each on the pools after the swaps before it. For an exact output, the amounts of the origins are maxima. The best
 * rates in US dollars are used first, as long as a deposit is worth its gas. The last origin pays exactly the missing
 * amount. Origins that are not needed pay nothing.
 * @throws AppError with the code of the failure, and with the origin or leg if one fails.
 */
export function priceMulti(order: MultiOrder, market: Market): MultiPrice {
  const { origins, destination } = order
  for (const [index, { currency }] of origins.entries())
    refuseCurrency(marketOf(market, currency), currency, {
      side: 'origin',
      field: `origins.${index}.currency`,
    })
  const chain = marketOf(market, destination)
  refuseCurrency(chain, destination, { side: 'destination', field: 'destinationCurrency' })
  const crossChainPrice = chooseMultiAssetPair(order, market)
  checkTxs(order, chain, crossChainPrice.destinationLeg.amountOut)
  return summarizeMulti(order, market, crossChainPrice)
}
