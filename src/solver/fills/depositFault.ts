import type { Deposit } from '#src/requests/state/deposit.ts'
import type { FailReason } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/solver/solverRequest.ts'
import { type GatheredInput, gatheredInputs } from './gatheredInputs.ts'

const forcedRefund = 'debug-force-refund'

/** Why deposits are refunded whatever the market is; undefined where nothing speaks against any of them. */
export function depositFault(
  request: SolverRequest,
  deposits: readonly Deposit[],
  { forcesRefunds, now }: Readonly<{ forcesRefunds: boolean; now: number }>,
): FailReason | undefined {
  // Nobody has a better word for what was asked for.
  if (forcesRefunds && request.referrer === forcedRefund) return 'UNKNOWN'
  const gathered = gatheredInputs(request, deposits)
  if (gathered.some(isOfOtherCurrency)) return 'INCORRECT_DEPOSIT_CURRENCY'
  const deadline = Math.min(request.deadline, request.order.output.deadline)
  const { until, partial } = request.gathering ?? { until: deadline, partial: true }
  // A deposit in time is refunded as well once there is no time left to fill it.
  if (now > deadline || deposits.some(({ timestamp }) => timestamp > Math.min(until, deadline)))
    return 'ORDER_EXPIRED'
  const isMissed = gathered.some(({ deposit }) => deposit === undefined)
  return isMissed && !partial ? 'ORDER_EXPIRED' : undefined
}

const isOfOtherCurrency = ({ input, deposit }: GatheredInput): boolean =>
  deposit !== undefined && deposit.currency !== input.depositCurrency
