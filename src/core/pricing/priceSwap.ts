import { checkOrder, checkSponsored, checkTxs } from './checkOrder.ts'
import { chooseAssetPair } from './crossChain/chooseAssetPair.ts'
import { type Market, marketOf } from './market.ts'
import { executorOf, type Order } from './order.ts'
import type { Price } from './price.ts'
import { summarizeCrossChainPrice, summarizeSwap } from './summary/summary.ts'
import { swapByUser } from './userSwap.ts'

/**
 * Prices `order` on `market`, which must hold both of its chains. A pure function: the same two values always give the
 * same price.
 * @throws AppError with the code of the failure, and with the leg if one fails.
 */
export function priceSwap(order: Order, market: Market): Price {
  const origin = marketOf(market, order.origin)
  const destination = marketOf(market, order.destination)
  const chains = { origin, destination }
  checkOrder(order, chains)
  if (executorOf(order) === 'user') {
    const swap = swapByUser(order, origin)
    checkTxs(order, origin, swap.leg.amountOut)
    const price = summarizeSwap(order, market, origin, swap)
    checkSponsored(price)
    return price
  }
  const crossChainPrice = chooseAssetPair(order, market, chains)
  checkTxs(order, destination, crossChainPrice.destinationLeg.amountOut)
  return summarizeCrossChainPrice(order, market, crossChainPrice)
}
