import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { AmountTooLowError, appBps, grossUp, lessShare } from './fees/relayFees.ts'
import { type LegSwap, limitsOf, swapLeg } from './leg/leg.ts'
import { explained, legFailure } from './leg/legFailure.ts'
import type { ChainMarket } from './market.ts'
import type { Order } from './order.ts'

/** An order on one chain that the user executes alone: app fees come off the input, the rest is swapped. */
export type UserSwap = Readonly<{ amountIn: Amount; app: Amount; leg: LegSwap }>

/** @throws AppError if app fees take everything, or the pools do not connect the two currencies with enough liquidity. */
export function swapByUser(order: Order, market: ChainMarket): UserSwap {
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
