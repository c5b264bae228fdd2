import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { shareDown, toBps, wholeBps } from '#src/core/units/bps.ts'
import { orderSeconds } from '#src/protocol/order/order.ts'
import type { RequestInput } from '#src/requests/quotedRequest.ts'
import type { StoredRequest } from './requestState.ts'

/** A request that the solver fills. */
export type SolverRequest = Extract<StoredRequest, Readonly<{ execution: 'solver' }>>

export const isSolverRequest = (request: StoredRequest): request is SolverRequest =>
  request.execution === 'solver'

/** The time until which deposits are filled in time, in seconds since 1970. */
export const deadlineOf = ({ deadline, order }: SolverRequest): number =>
  Math.min(deadline, order.output.deadline)

/** The time of the last deposit that may be filled, late ones included, in seconds since 1970. */
export const lastDepositTime = (request: SolverRequest): number =>
  deadlineOf(request) + (request.fill.latePaymentBps === undefined ? 0 : orderSeconds)

/** A wide slippage tolerance does not mean that the user accepts a small deposit of somebody else. */
const maxShortfall = toBps(500n)

/**
 * The smallest deposit with which the input of a single-input request can pay the minimum output at the quote's rate,
 * rounded up: at least 95 % of the quoted one, and at most `leastDeposit`. A smaller deposit never funds the input in
 * time: anybody can send one, and it would end the request ahead of the user's own deposit.
 */
export function minFunding(
  { amountOut, minimumAmountOut, fill }: SolverRequest,
  { depositAmount, leastDeposit, payoutAmount, surplusBps }: RequestInput,
): Amount {
  const tolerated = amountOut > minimumAmountOut ? amountOut - minimumAmountOut : 0n
  const most = shareDown(amountOut, maxShortfall)
  const spare = tolerated < most ? tolerated : most
  if (spare === 0n || payoutAmount === 0n) return leastDeposit
  // No fee shrinks with the deposit, so that the whole shortfall reduces the payout. `payoutAmount` is after the
  // proportional fees of the deposit.
  const kept = wholeBps - surplusBps
  const shortfall =
    (depositAmount * fill.payoutAmount * spare * kept) / (payoutAmount * amountOut * wholeBps)
  const minimum = depositAmount > shortfall ? depositAmount - shortfall : 1n
  return minimum < leastDeposit ? toAmount(minimum) : leastDeposit
}
