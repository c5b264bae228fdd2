import type { FailReason, RefundFailReason } from '#src/requests/requestState.ts'
import type { RequestStatus } from '#src/requests/requestStatus.ts'
import { builder } from './builder.ts'

export const RequestStatusNameType = builder.enumType('RequestStatusName', {
  description: 'How a request stands. Of success, failure and refund nothing changes any more.',
  values: {
    waiting: { description: 'Quoted; no deposit counts yet.' },
    depositing: { description: 'A deposit was submitted on the user’s behalf.' },
    pending: {
      description:
        'The deposit counts, and the fill is to be sent. Where the user swaps alone: a block holds the swap.',
    },
    submitted: { description: 'The fill is sent, and does not count yet.' },
    success: { description: 'The recipient was paid.' },
    failure: { description: 'Not filled, and no refund was due or possible.' },
    refund: { description: 'Not filled; `refundTo` was paid back on the origin chain.' },
  } satisfies Record<RequestStatus, object>,
})

/** Sentences for people; what a reason means to programs is its name. */
export const failReasonTexts: Readonly<Record<FailReason, string>> = {
  SLIPPAGE: 'The price moved further than the slippage tolerance allows.',
  TOO_LITTLE_RECEIVED: 'The fill would have paid out less than was promised.',
  ORDER_EXPIRED: 'The deposit came after the order’s deadline.',
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

const described = <Name extends string>(texts: Readonly<Record<Name, string>>) =>
  Object.fromEntries(
    Object.entries<string>(texts).map(([name, description]) => [name, { description }]),
  ) as Record<Name, { description: string }>

export const FailReasonType = builder.enumType('FailReason', {
  description: 'Why a request was not filled, or a deposit is not what it was filled for.',
  values: described(failReasonTexts),
})

export const RefundFailReasonType = builder.enumType('RefundFailReason', {
  description: 'Why a deposit could not be paid back.',
  values: described(refundFailReasonTexts),
})
