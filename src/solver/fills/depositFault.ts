import type { Deposit } from '#src/requests/state/deposit.ts'
import type { FailReason } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { type FundedInput, fundedInputs } from './payoutBudget.ts'

const forcedRefund = 'debug-force-refund'

/**
 * Seconds between a fill and the first exit of its deposits: time enough to settle them. Else the depositor could be filled,
 * and take the deposit back too.
 */
const exitMarginSeconds = 7 * 86_400

/**
 * Why a request is refunded whatever the market; undefined if its deposits have no fault.
 * @param options `now` in seconds since 1970; `forcesRefunds` for devnets, where the referrer can force a refund
 */
export function depositFault(
  request: SolverRequest,
  deposits: readonly Deposit[],
  { forcesRefunds, now }: Readonly<{ forcesRefunds: boolean; now: number }>,
): FailReason | undefined {
  // The protocol has no better reason for a forced refund.
  if (forcesRefunds && request.referrer === forcedRefund) return 'UNKNOWN'
  const inputs = fundedInputs(request, deposits)
  if (inputs.some(hasOtherCurrency)) return 'INCORRECT_DEPOSIT_CURRENCY'
  const deadline = Math.min(request.deadline, request.order.output.deadline)
  const { depositDeadline, partial } = request.funding ?? {
    depositDeadline: deadline,
    partial: true,
  }
  const lastTimestamp = Math.min(depositDeadline, deadline)
  // A deposit in time is refunded as well once it is too late for the fill.
  const lastFill = Math.min(deadline, ...deposits.flatMap(lastFillBeforeExit))
  if (now > lastFill || deposits.some(({ timestamp }) => timestamp > lastTimestamp))
    return 'ORDER_EXPIRED'
  const isMissed = inputs.some(({ deposit }) => deposit === undefined)
  return isMissed && !partial ? 'ORDER_EXPIRED' : undefined
}

/** Empty for a plain transfer, which cannot be taken back. */
const lastFillBeforeExit = ({ record }: Deposit): readonly number[] =>
  record === undefined ? [] : [record.exitTime - exitMarginSeconds]

const hasOtherCurrency = ({ input, deposit }: FundedInput): boolean =>
  deposit !== undefined && deposit.currency !== input.depositCurrency
