import { type Currency, isSameCurrency } from '#src/units/currency.ts'
import { checkLoneSwap, executorOf } from './checkOptions.ts'
import { chooseBridge } from './chooseBridge.ts'
import { NothingToDoError, RefusedCurrencyError } from './failures.ts'
import type { ChainMarket, Market } from './market.ts'
import type { Order } from './order.ts'
import type { Price } from './price.ts'
import { swapOnOneChain } from './sameChain.ts'
import { summarizeCrossing, summarizeSwap } from './summary.ts'

/**
 * What `order` comes to on `market`: the same answer for the same two values, whenever and wherever.
 * The market holds both of the order's chains.
 * @throws AppError with the code and the leg of what stands in the way.
 */
export function priceSwap(order: Order, market: Market): Price {
  const origin = chainOf(market, order.origin)
  const destination = chainOf(market, order.destination)
  refuse(origin, order.origin, 'origin')
  refuse(destination, order.destination, 'destination')
  if (isSameCurrency(order.origin, order.destination) && order.recipient === order.user)
    throw new NothingToDoError(order.origin)
  if (executorOf(order) === 'solver')
    return summarizeCrossing(order, market, chooseBridge(order, market, { origin, destination }))
  checkLoneSwap(order, origin)
  return summarizeSwap(order, origin, swapOnOneChain(order, origin))
}

function chainOf(market: Market, { chainId }: Currency): ChainMarket {
  const chain = market.chains.get(chainId)
  if (chain === undefined) throw new Error(`The market lacks chain ${chainId}`)
  return chain
}

function refuse(market: ChainMarket, currency: Currency, side: 'origin' | 'destination'): void {
  const reason = market.refusedCurrencies.get(currency.address)
  if (reason !== undefined) throw new RefusedCurrencyError(currency, side, reason)
}
