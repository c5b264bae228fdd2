import { type Currency, isSameCurrency } from '#src/units/currency.ts'
import { checkFill, checkLoneSwap, checkTxs, executorOf } from './checkOptions.ts'
import { chooseBridge } from './crossing/chooseBridge.ts'
import { swapOnOneChain } from './crossing/sameChain.ts'
import { NothingToDoError, RefusedCurrencyError } from './failures.ts'
import type { ChainMarket, Market } from './market.ts'
import { marketOf } from './marketOf.ts'
import type { Order } from './order.ts'
import type { Price } from './price.ts'
import { summarizeCrossing, summarizeSwap } from './summary/summary.ts'

/**
 * What `order` comes to on `market`: the same answer for the same two values, whenever and wherever.
 * The market holds both of the order's chains.
 * @throws AppError with the code and the leg of what stands in the way.
 */
export function priceSwap(order: Order, market: Market): Price {
  const origin = marketOf(market, order.origin)
  const destination = marketOf(market, order.destination)
  refuse(origin, order.origin, 'origin')
  refuse(destination, order.destination, 'destination')
  if (executorOf(order) === 'user') return priceLoneSwap(order, market, origin)
  checkFill(order)
  checkPurpose(order)
  const crossing = chooseBridge(order, market, { origin, destination })
  checkTxs(order, destination, crossing.destinationLeg.amountOut)
  return summarizeCrossing(order, market, crossing)
}

function priceLoneSwap(order: Order, market: Market, chain: ChainMarket): Price {
  checkPurpose(order)
  checkLoneSwap(order, chain)
  const swap = swapOnOneChain(order, chain)
  checkTxs(order, chain, swap.leg.amountOut)
  return summarizeSwap(order, market, chain, swap)
}

/** An account that pays itself must have something else done. */
function checkPurpose({ origin, destination, user, recipient, txs }: Order): void {
  if (isSameCurrency(origin, destination) && recipient === user && txs.length === 0)
    throw new NothingToDoError(origin)
}

function refuse(market: ChainMarket, currency: Currency, side: 'origin' | 'destination'): void {
  const reason = market.refusedCurrencies.get(currency.address)
  if (reason === undefined) return
  throw new RefusedCurrencyError(currency, { side, field: `${side}Currency` }, reason)
}
