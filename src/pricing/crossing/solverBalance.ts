import { SolverBalanceError } from '#src/pricing/failures.ts'
import { appBps, type Bridge, depositFor, grossUp } from '#src/pricing/fees/relayFees.ts'
import { swapLeg } from '#src/pricing/leg/leg.ts'
import type { Order } from '#src/pricing/order.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { Currency } from '#src/units/currency.ts'

const none = toAmount(0n)

/**
 * Whether the solver holds what it is to spend, and the native currency that it pays on top.
 * @throws SolverBalanceError where it does not.
 */
export function checkSolverBalance(order: Order, bridge: Bridge, spend: Amount): void {
  const { destination, payout, topup = none } = bridge
  const { native } = destination.chain
  const isNativePayout = payout.address === native.address
  const onTop = isNativePayout ? topup : none
  const needed = toAmount(spend + onTop)
  const balance = balanceOf(bridge, payout)
  if (needed > balance) {
    const spare = balance > onTop ? toAmount(balance - onTop) : none
    const limit = spare === none ? undefined : largestAmount(order, bridge, spare)
    throw new SolverBalanceError(payout, { needed, balance }, limit)
  }
  const nativeBalance = balanceOf(bridge, native)
  if (!isNativePayout && topup > nativeBalance)
    throw new SolverBalanceError(native, { needed: topup, balance: nativeBalance }, undefined)
}

const balanceOf = ({ destination }: Bridge, { address }: Currency): Amount =>
  destination.solverBalances.get(address) ?? none

/** The order's amount for which the solver spends all of `balance`; undefined where no pools bear it. */
function largestAmount(order: Order, bridge: Bridge, balance: Amount) {
  const { legs } = bridge
  if (order.tradeType !== 'EXACT_INPUT') {
    const leg = swapLeg(legs.destination, 'exactInput', balance)
    return leg && { amount: leg.amountOut, currency: order.destination }
  }
  const app = appBps(order.appFees)
  const isSponsored = order.sponsorship !== undefined
  const rest = depositFor(bridge, balance) + (isSponsored ? 0n : bridge.flat)
  const amount = grossUp(rest, isSponsored ? app : app + bridge.bps)
  if (amount === undefined) return undefined
  const leg = swapLeg(legs.origin, 'exactOutput', amount)
  return leg && { amount: leg.amountIn, currency: order.origin }
}
