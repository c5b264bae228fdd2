import { orderSeconds } from '#src/protocol/order/order.ts'
import type { SolverRequest } from './solverRequest.ts'

/** The time until which deposits are filled in time, in seconds since 1970. */
export const deadlineOf = ({ deadline, order }: SolverRequest): number =>
  Math.min(deadline, order.output.deadline)

/** The time of the last deposit that may be filled, late ones included, in seconds since 1970. */
export const lastDepositTime = (request: SolverRequest): number =>
  deadlineOf(request) + (request.fill.latePaymentBps === undefined ? 0 : orderSeconds)
