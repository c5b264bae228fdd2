import type { SwapMode } from '#src/pools/pool.ts'
import { AmountTooLowError } from '#src/pricing/failures.ts'
import { appBps, grossUp, sharesOn } from '#src/pricing/fees/relayFees.ts'
import { type LegSwap, swapLeg } from '#src/pricing/leg/leg.ts'
import { legFailure } from '#src/pricing/leg/legFailure.ts'
import { limitsOf } from '#src/pricing/leg/routeLimits.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { Order } from '#src/pricing/order.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'

/** An order on one chain, which the user executes alone: app fees come off the input, then it swaps. */
export type SameChainSwap = Readonly<{ amountIn: Amount; app: Amount; leg: LegSwap }>

/** @throws AppError where app fees take everything or the pools do not join the two deeply enough. */
export function swapOnOneChain(order: Order, market: ChainMarket): SameChainSwap {
  if (order.tradeType === 'EXACT_INPUT') {
    const app = sharesOn(order.amount, appBps(order.appFees))
    if (app >= order.amount) throw new AmountTooLowError(app, order.origin, undefined, order.origin)
    const leg = swapOf(order, market, 'exactInput', toAmount(order.amount - app))
    return { amountIn: order.amount, app, leg }
  }
  const leg = swapOf(order, market, 'exactOutput', order.amount)
  const amountIn = grossUp(leg.amountIn, appBps(order.appFees))
  if (amountIn === undefined)
    throw new AmountTooLowError(leg.amountIn, order.origin, undefined, order.origin)
  // Where no input leaves exactly what the swap takes, the unit too many is the app's.
  return { amountIn, app: toAmount(amountIn - leg.amountIn), leg }
}

function swapOf(order: Order, market: ChainMarket, kind: SwapMode, amount: Amount): LegSwap {
  const { origin, destination, swapSources } = order
  const limits = limitsOf(order, swapSources.origin, swapSources.destination)
  const task = { market, input: origin, output: destination, limits }
  const leg = swapLeg(task, kind, amount)
  if (leg === undefined) throw legFailure('origin', task, kind, amount)
  return leg
}
