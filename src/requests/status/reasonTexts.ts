import type { FailReason, RefundFailReason } from '#src/requests/state/requestState.ts'

/** Explanations for people. Programs use the names of the reasons. */
export const failReasonTexts: Readonly<Record<FailReason, string>> = {
  SLIPPAGE: 'The price moved further than the slippage tolerance allows.',
  TOO_LITTLE_RECEIVED: 'The fill would have paid out less than the quoted minimum.',
  ORDER_EXPIRED: 'A deposit did not arrive before its deadline, or the fill deadline passed.',
  SOLVER_BALANCE_TOO_LOW: 'The solver does not hold enough to fill the request.',
  SOLVER_CAPACITY_EXCEEDED:
    'The amount exceeds what the solver pays out in one fill, or what it accepts as a plain transfer.',
  INCORRECT_DEPOSIT_CURRENCY: 'The deposit is in the wrong currency.',
  INVALID_NONCE:
    'A signature no longer fits: it was cancelled, its nonce was used, or its account has other code.',
  DEPOSITED_AMOUNT_TOO_LOW_TO_FILL: 'The deposit is too small to fill the request.',
  DOUBLE_SPEND: 'Another deposit already pays for the request.',
  EXECUTION_REVERTED: 'The fill reverts on the destination chain.',
  TRANSACTION_REVERTED: 'The user’s own transaction reverted.',
  NO_QUOTES: 'There is no route between the currencies any more.',
  SPONSOR_BALANCE_TOO_LOW: 'The sponsor cannot pay for the request.',
  SIGNATURE_EXPIRED: 'The signature expired before its transaction could be sent.',
  TRANSACTION_NOT_INCLUDED:
    'The transaction of the signature was sent, and had no effect before the signature expired.',
  UNKNOWN: 'None of the other reasons applies, such as after an unexpected error.',
}

export const refundFailReasonTexts: Readonly<Record<RefundFailReason, string>> = {
  AMOUNT_TOO_LOW_TO_REFUND: 'The deposit is worth less than the gas of a refund.',
  EXECUTION_REVERTED: 'The refund reverts on the origin chain.',
  RECIPIENT_REFUSED:
    'The recipient did not accept the refund. It can claim the amount from the depository.',
}
