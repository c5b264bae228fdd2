import { toAmount } from '#src/core/units/amount.ts'
import { checkOrder, checkSponsored, checkTxs } from './checkOrder.ts'
import { chooseAssetPair } from './crossChain/chooseAssetPair.ts'
import { AmountTooLowError, appBps, grossUp, lessShare } from './fees/relayFees.ts'
import { explained, legFailure, limitsOf, swapLeg } from './leg/leg.ts'
import { type ChainMarket, type Market, marketOf } from './market.ts'
import { executorOf, type Order } from './order.ts'
import type { Price } from './price.ts'
import { summarizeCrossChainPrice, summarizeSwap, type UserSwap } from './summary/summary.ts'

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

/**
 * @throws AppError if app fees take everything, or the pools do not connect the two currencies with enough liquidity.
 */
function swapByUser(order: Order, market: ChainMarket): UserSwap {
  const { origin, destination, amount, swapSources } = order
  const bps = appBps(order.appFees)
  const isInput = order.tradeType === 'EXACT_INPUT'
  const given = isInput ? lessShare(amount, bps) : amount
  if (given === 0n) throw new AmountTooLowError(amount, origin, undefined, origin)
  const limits = limitsOf(order, swapSources.origin, swapSources.destination)
  const task = { market, input: origin, output: destination, limits }
  const mode = isInput ? 'exactInput' : 'exactOutput'
  const leg = swapLeg(task, mode, given)
  if (leg === undefined) throw explained(legFailure('origin', task, mode, given))
  const amountIn = isInput ? amount : grossUp(leg.amountIn, bps)
  if (amountIn === undefined) throw new AmountTooLowError(leg.amountIn, origin, undefined, origin)
  // If no input leaves exactly the input of the swap, the surplus unit goes to the app.
  return { amountIn, app: toAmount(amountIn - leg.amountIn), leg }
}
