import type { RequestInput } from '#src/requests/quotedRequest.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { wholeBps } from '#src/units/bps.ts'
import type { SolverRequest } from './solverRequest.ts'

/**
 * The smallest deposit with which the input of a single-input request can pay the minimum output at the quote's rate,
 * rounded up. A smaller deposit never funds the input in time: anybody can send one, and it would end the request
 * ahead of the user's own deposit. At most `leastDeposit`.
 */
export function minFunding(
  { amountOut, minimumAmountOut, fill }: SolverRequest,
  { depositAmount, leastDeposit, payoutAmount, surplusBps }: RequestInput,
): Amount {
  const spare = amountOut > minimumAmountOut ? amountOut - minimumAmountOut : 0n
  if (spare === 0n || payoutAmount === 0n) return leastDeposit
  // No fee shrinks with the deposit, so that the whole shortfall reduces the payout. `payoutAmount` is after the
  // proportional fees of the deposit.
  const kept = wholeBps - surplusBps
  const shortfall =
    (depositAmount * fill.payoutAmount * spare * kept) / (payoutAmount * amountOut * wholeBps)
  const minimum = depositAmount > shortfall ? depositAmount - shortfall : 1n
  return minimum < leastDeposit ? toAmount(minimum) : leastDeposit
}
