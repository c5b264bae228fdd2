/** @import { Progress, RequestSummary } from '#src/page/api/answers.ts' */

/** @type {Readonly<Record<RequestSummary['status'], string>>} */
export const statusWords = {
  waiting: 'Waiting for the deposit',
  depositing: 'The payment is on its way',
  pending: 'Deposit received',
  submitted: 'Payment sent',
  success: 'Completed',
  failure: 'Failed',
  refund: 'Refunded',
}

/** @type {Readonly<Record<Progress['status'], string>>} */
export const progressWords = {
  waiting: 'Waiting',
  signed: 'Signed',
  sent: 'Sent',
  seen: 'In a block',
  confirmed: 'Confirmed',
  reverted: 'Reverted: only gas was spent',
  implied: 'Done',
  skipped: 'Not needed',
}

/** @type {Readonly<Record<string, string>>} */
const reasons = {
  SLIPPAGE: 'The price moved further than the slippage tolerance.',
  TOO_LITTLE_RECEIVED: 'The payment would have been less than the minimum.',
  SIGNATURE_EXPIRED: 'The signature expired. Nothing was paid.',
  INVALID_NONCE: 'The signature was cancelled. Nothing was paid.',
  TRANSACTION_NOT_INCLUDED: 'The signature had no effect in time. Nothing was paid.',
  ORDER_EXPIRED: 'The deposit came after its deadline.',
  SOLVER_BALANCE_TOO_LOW: 'The solver did not hold enough.',
  SOLVER_CAPACITY_EXCEEDED: 'The amount is more than the solver pays at once.',
  INCORRECT_DEPOSIT_CURRENCY: 'The deposit was in another currency.',
  DEPOSITED_AMOUNT_TOO_LOW_TO_FILL: 'The deposit was too small.',
  DOUBLE_SPEND: 'Another deposit had already paid for the request.',
  EXECUTION_REVERTED: 'The payment would have failed on its chain.',
  TRANSACTION_REVERTED: 'The transaction failed on its chain.',
  NO_QUOTES: 'There was no route any more.',
  AMOUNT_TOO_LOW_TO_REFUND: 'The deposit is worth less than the gas of a refund.',
}

/**
 * The reason why a request did not end as ordered, in words for the user.
 * @param {string} reason
 */
export const reasonWords = (reason) => reasons[reason] ?? 'The solver gave no reason.'

/** @type {Readonly<Record<string, string>>} */
const sources = {
  'uniswap-v2': 'Uniswap v2',
  'uniswap-v3': 'Uniswap v3',
  'uniswap-v4': 'Uniswap v4',
}

/** @param {string} source */
export const sourceWords = (source) => sources[source] ?? source

/** @param {number} seconds */
export const durationWords = (seconds) =>
  seconds < 90 ? `about ${seconds}\u00a0s` : `about ${Math.round(seconds / 60)}\u00a0min`
