import type { FailReason, RefundFailReason } from '#src/requests/state/requestState.ts'

/** Sentences for people; what a reason means to programs is its name. */
export const failReasonTexts: Readonly<Record<FailReason, string>> = {
  SLIPPAGE: 'The price moved further than the slippage tolerance allows.',
  TOO_LITTLE_RECEIVED: 'The fill would have paid out less than was promised.',
  ORDER_EXPIRED: 'A deposit came after its deadline, or not at all.',
  SOLVER_BALANCE_TOO_LOW: 'The solver does not hold enough to fill it.',
  SOLVER_CAPACITY_EXCEEDED: 'It is more than the solver pays out at once.',
  INCORRECT_DEPOSIT_CURRENCY: 'Another currency was deposited.',
  DEPOSITED_AMOUNT_TOO_LOW_TO_FILL: 'Less was deposited than can be filled.',
  DOUBLE_SPEND: 'The request has another deposit already.',
  EXECUTION_REVERTED: 'The fill reverts on the destination chain.',
  TRANSACTION_REVERTED: 'The user’s own transaction reverted.',
  NO_QUOTES: 'No route joins the currencies any more.',
  SPONSOR_BALANCE_TOO_LOW: 'The sponsor does not pay for it.',
  UNKNOWN: 'None of the others.',
}

export const refundFailReasonTexts: Readonly<Record<RefundFailReason, string>> = {
  AMOUNT_TOO_LOW_TO_REFUND: 'It is worth less than the gas of a refund.',
  EXECUTION_REVERTED: 'The refund reverts on the origin chain.',
}
