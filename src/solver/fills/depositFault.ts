import type { Deposit } from '#src/requests/deposit.ts'
import type { FailReason } from '#src/requests/requestState.ts'
import type { SolverRequest } from '#src/solver/solverRequest.ts'

const forcedRefund = 'debug-force-refund'

/** Why a deposit is refunded whatever the market is; undefined where nothing speaks against it. */
export function depositFault(
  request: SolverRequest,
  deposit: Deposit,
  { forcesRefunds, now }: Readonly<{ forcesRefunds: boolean; now: number }>,
): FailReason | undefined {
  // Nobody has a better word for what was asked for.
  if (forcesRefunds && request.referrer === forcedRefund) return 'UNKNOWN'
  if (deposit.currency !== request.inputs[0]?.depositCurrency) return 'INCORRECT_DEPOSIT_CURRENCY'
  const deadline = Math.min(request.deadline, request.order.output.deadline)
  // A deposit in time is refunded as well once there is no time left to fill it.
  if (deposit.timestamp > deadline || now > deadline) return 'ORDER_EXPIRED'
  return undefined
}
