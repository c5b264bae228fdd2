import { AppError } from '#src/core/errors.ts'
import { type Currency, isSameCurrency } from '#src/core/units/currency.ts'
import { checkFill, checkTxs, checkUserSwap, executorOf, refuseCurrency } from './checkOrder.ts'
import { chooseAssetPair } from './crossChain/chooseAssetPair.ts'
import { swapOnOneChain } from './crossChain/sameChain.ts'
import { type ChainMarket, type Market, marketOf } from './market.ts'
import type { Order } from './order.ts'
import { checkPermit, checkSponsored } from './permits.ts'
import type { Price } from './price.ts'
import { summarizeCrossChainPrice, summarizeSwap } from './summary/summary.ts'

/**
 * Prices `order` on `market`, which must hold both of its chains. A pure function: the same two values always give the
 * same price.
 * @throws AppError with the code of the failure, and with the leg if one fails.
 */
export function priceSwap(order: Order, market: Market): Price {
  const origin = marketOf(market, order.origin)
  const destination = marketOf(market, order.destination)
  refuseCurrency(market, order.origin, { side: 'origin', field: 'originCurrency' })
  refuseCurrency(market, order.destination, { side: 'destination', field: 'destinationCurrency' })
  checkPermit(order)
  if (executorOf(order) === 'user') return priceUserSwap(order, market, origin)
  checkFill(order)
  checkPurpose(order)
  const crossChainPrice = chooseAssetPair(order, market, { origin, destination })
  checkTxs(order, destination, crossChainPrice.destinationLeg.amountOut)
  return summarizeCrossChainPrice(order, market, crossChainPrice)
}

function priceUserSwap(order: Order, market: Market, chain: ChainMarket): Price {
  checkPurpose(order)
  checkUserSwap(order, chain)
  const swap = swapOnOneChain(order, chain)
  checkTxs(order, chain, swap.leg.amountOut)
  const price = summarizeSwap(order, market, chain, swap)
  checkSponsored(price)
  return price
}

/** Rejects an order whose user would pay a currency to itself and do nothing else. */
function checkPurpose({ origin, destination, user, recipient, txs }: Order): void {
  if (isSameCurrency(origin, destination) && recipient === user && txs.length === 0)
    throw new NothingToDoError(origin)
}

class NothingToDoError extends AppError {
  constructor({ symbol, chainId }: Currency) {
    super(
      'UNSUPPORTED_ROUTE',
      `Origin and destination are both ${symbol} on chain ${chainId}, and recipient is user: name another recipient to send, or another currency to swap.`,
    )
  }
}
