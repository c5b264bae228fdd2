import type { SwapMode } from '#src/core/pools/poolKind.ts'
import { AmountTooLowError, appBps, grossUp, shareUp } from '#src/core/pricing/fees/relayFees.ts'
import { type LegSwap, limitsOf, swapLeg } from '#src/core/pricing/leg/leg.ts'
import { legFailure, NoOutputError } from '#src/core/pricing/leg/legFailure.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'

/** An order on one chain that the user executes alone: app fees come off the input, the rest is swapped. */
export type SameChainSwap = Readonly<{ amountIn: Amount; app: Amount; leg: LegSwap }>

/** @throws AppError if app fees take everything, or the pools do not connect the two currencies with enough liquidity. */
export function swapOnOneChain(order: Order, market: ChainMarket): SameChainSwap {
  if (order.tradeType === 'EXACT_INPUT') {
    const app = shareUp(order.amount, appBps(order.appFees))
    if (app >= order.amount) throw new AmountTooLowError(app, order.origin, undefined, order.origin)
    const leg = swapOf(order, market, 'exactInput', toAmount(order.amount - app))
    return { amountIn: order.amount, app, leg }
  }
  const leg = swapOf(order, market, 'exactOutput', order.amount)
  const amountIn = grossUp(leg.amountIn, appBps(order.appFees))
  if (amountIn === undefined)
    throw new AmountTooLowError(leg.amountIn, order.origin, undefined, order.origin)
  // If no input leaves exactly the input of the swap, the surplus unit goes to the app.
  return { amountIn, app: toAmount(amountIn - leg.amountIn), leg }
}

function swapOf(order: Order, market: ChainMarket, mode: SwapMode, amount: Amount): LegSwap {
  const { origin, destination, swapSources } = order
  const limits = limitsOf(order, swapSources.origin, swapSources.destination)
  const task = { market, input: origin, output: destination, limits }
  const leg = swapLeg(task, mode, amount)
  if (leg !== undefined) return leg
  const failure = legFailure('origin', task, mode, amount)
  throw failure instanceof NoOutputError ? failure.explain() : failure
}
