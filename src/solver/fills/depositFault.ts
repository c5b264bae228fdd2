import { orderSeconds } from '#src/protocol/order/order.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { FailReason } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { deadlineOf, lastDepositTime } from '#src/requests/state/solverRequest.ts'
import { type FundedInput, fundedInputs } from './payoutBudget.ts'

const forcedRefund = 'debug-force-refund'

/**
 * Minimum time in seconds between a fill and the first exit of its deposits, so that they are settled before. Otherwise
 * the depositor could be filled and also take the deposit back.
 */
const exitMarginSeconds = 7 * 86_400

/**
 * The reason to refund a request independently of the market; undefined if its deposits have no fault.
 * @param options `now` in seconds since 1970; `forcesRefunds` for devnets, on which the referrer can force a refund
 */
export function depositFault(
  request: SolverRequest,
  deposits: readonly Deposit[],
  { forcesRefunds, now }: Readonly<{ forcesRefunds: boolean; now: number }>,
): FailReason | undefined {
  // The protocol has no reason for a forced refund.
  if (forcesRefunds && request.referrer === forcedRefund) return 'UNKNOWN'
  const inputs = fundedInputs(request, deposits)
  if (inputs.some(hasOtherCurrency)) return 'INCORRECT_DEPOSIT_CURRENCY'
  const deadline = deadlineOf(request)
  const lastDeposit = lastDepositTime(request)
  const { depositDeadline, partial } = request.funding ?? {
    depositDeadline: lastDeposit,
    partial: true,
  }
  const lastTimestamp = Math.min(depositDeadline, lastDeposit)
  // Deposits in time must be filled by the deadline, late ones within `orderSeconds` of the first late deposit.
  const late = deposits.filter(({ timestamp }) => timestamp > deadline)
  const ends =
    late.length === 0 ? [deadline] : late.map(({ timestamp }) => timestamp + orderSeconds)
  const lastFill = Math.min(...ends, ...deposits.flatMap(lastFillBeforeExit))
  if (now > lastFill || deposits.some(({ timestamp }) => timestamp > lastTimestamp))
    return 'ORDER_EXPIRED'
  const isMissed = inputs.some(({ deposit }) => deposit === undefined)
  return isMissed && !partial ? 'ORDER_EXPIRED' : undefined
}

/** Whether a deposit came after the deadline of the order. */
export const isPaidLate = (request: SolverRequest, deposits: readonly Deposit[]): boolean =>
  deposits.some(({ timestamp }) => timestamp > deadlineOf(request))

/** Empty for a plain transfer, which cannot be taken back. */
const lastFillBeforeExit = ({ record }: Deposit): readonly number[] =>
  record === undefined ? [] : [record.exitTime - exitMarginSeconds]

const hasOtherCurrency = ({ input, deposit }: FundedInput): boolean =>
  deposit !== undefined && deposit.currency !== input.depositCurrency
