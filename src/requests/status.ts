import type { Hash } from 'viem'
import type { Account } from '#src/core/units/address.ts'
import { outputProgress } from './progress.ts'
import type { QuotedRequest } from './quotedRequest.ts'
import {
  type FailReason,
  isAwaiting,
  type Progress,
  type RefundFailReason,
  type RequestState,
  transactionOf,
} from './state/requestState.ts'

/** The status of a request for /ws and webhooks. Times are Unix ms. @source docs/protocol.md §2 */
export type StatusUpdate = ReturnType<typeof statusUpdate>

export const statusUpdate = (request: QuotedRequest, state: RequestState) => ({
  status: state.status,
  inTxHashes: state.inTxHashes,
  txHashes: state.txHashes,
  updatedAt: state.updatedAt,
  originChainId: request.originChainId,
  destinationChainId: request.destinationChainId,
  requestId: request.requestId,
  referrer: request.referrer ?? null,
  details: statusDetails(request, state) ?? null,
  failReason: state.failReason ?? 'N/A',
  refundFailReason: state.refundFailReason ?? 'N/A',
  ...shownPayments(request, state),
  ...depositAddressOf(request),
  ...(state.supersededBy !== undefined && { supersededByRequestId: state.supersededBy }),
})

/** What the recipient and the recipients of the refunds got, once it is confirmed and if the chain shows it. */
function shownPayments(request: QuotedRequest, state: RequestState) {
  const [paid] = paymentsBy([outputProgress(request, state)])
  const refunds = paymentsBy(state.refunds ?? [])
  return { ...(paid && { paid }), ...(refunds.length > 0 && { refunds }) }
}

/** What these transactions paid. Amounts are decimal strings in the smallest unit. */
const paymentsBy = (payments: readonly (Progress | undefined)[]) =>
  payments.flatMap((progress) => {
    const { chainId, hash, paid } = transactionOf(progress) ?? {}
    if (paid === undefined) return []
    const { recipient, currency, amount, topup, claimable } = paid
    return [
      {
        chainId,
        txHash: hash,
        recipient,
        currency,
        amount: amount.toString(),
        ...(topup !== undefined && { topup: topup.toString() }),
        ...(claimable !== undefined && { claimable: claimable.toString() }),
      },
    ]
  })

/** The field `depositAddress`, if the user pays one. */
function depositAddressOf(request: QuotedRequest) {
  const depositAddress = shownDepositAddress(request)
  return depositAddress && { depositAddress }
}

/** Whether the update differs from the one before, apart from its time. */
export const differsFrom = (update: StatusUpdate, before: StatusUpdate): boolean =>
  JSON.stringify({ ...update, updatedAt: 0 }) !== JSON.stringify({ ...before, updatedAt: 0 })

/** Explains a failure and the place of the money; undefined without a failure. */
export function statusDetails(request: QuotedRequest, state: RequestState): string | undefined {
  const { status, failReason, refundFailReason } = state
  const missed =
    missedDetails(request, state) ??
    refusedDetails(request, state) ??
    revertedDetails(request, state)
  if (failReason === undefined) return missed
  if (request.execution === 'upstream') return upstreamDetails(request, { status, failReason })
  if (failReason === 'EXECUTION_REVERTED' && state.refunds === undefined)
    return missed === undefined ? skippedCalls : `${missed} ${skippedCalls}`
  const why = whyOf(failReason)
  if (isUnpaid(state)) return `Transaction failed: ${failReasonTexts[failReason]} Nothing was paid.`
  if (request.execution === 'user') return `${why} Only gas was spent. Ask for a new quote.`
  const unrefundable =
    refundFailReason === undefined ? '' : uncapitalized(refundFailReasonTexts[refundFailReason])
  const { payees, isOne } = refundedBy(request, state)
  const what = isOne ? 'The deposit' : 'The deposits'
  if (status === 'failure') {
    return unrefundable === '' ? why : `${why} ${what} cannot be refunded: ${unrefundable}`
  }
  if (refundFailReason === 'RECIPIENT_REFUSED' && status === 'refund')
    return `${why} ${payees} did not accept a refund, and can claim it from the depository.`
  const past = isOne ? 'was' : 'were'
  const refunded = status === 'refund' ? `${past} refunded` : 'will be refunded'
  const rest = unrefundable === '' ? '' : ` One cannot be refunded: ${unrefundable}`
  return `${why} ${what} ${refunded} to ${payees}, minus gas.${rest}`
}

const whyOf = (reason: FailReason): string =>
  reason === 'UNKNOWN' ? 'The request is not filled.' : failReasonTexts[reason]

/** Details of a request that another service executes. Its deduction from a refund is unknown. */
function upstreamDetails(
  { refundTo, originChainId }: QuotedRequest,
  { status, failReason }: Readonly<{ status: RequestState['status']; failReason: FailReason }>,
): string {
  if (status === 'success' && failReason === 'EXECUTION_REVERTED') return skippedCalls
  const why = whyOf(failReason)
  return status === 'refund'
    ? `${why} The deposit was refunded to ${refundTo} on chain ${originChainId}.`
    : why
}

/** Whether the request ended because its signature had no effect. Clients search for the first words of its text. */
const isUnpaid = ({ status, isSigned, inputStates }: RequestState): boolean =>
  status === 'failure' && isSigned === true && inputStates.every((each) => each.status !== 'funded')

const skippedCalls =
  'The calls of the order reverted on the destination chain. The recipient is paid without them, minus the gas of the failed fill.'

/** The addresses that the funding deposits are refunded to. */
function refundedBy(
  { inputs }: Extract<QuotedRequest, { execution: 'solver' }>,
  { inputStates, refunds }: RequestState,
) {
  const owed = inputs.filter((_, at) => inputStates[at]?.status === 'funded')
  const paid = inputs.filter((_, at) => (refunds?.[at]?.status ?? 'skipped') !== 'skipped')
  const payees = (paid.length > 0 ? paid : owed).map(
    ({ refundTo, chainId }) => `${refundTo} on chain ${chainId}`,
  )
  return { payees: [...new Set(payees)].join(' and '), isOne: owed.length === 1 }
}

/** Names the deposits that did not arrive in time. */
function missedDetails(request: QuotedRequest, { inputStates }: RequestState): string | undefined {
  if (request.execution !== 'solver') return undefined
  const missed = request.inputs.filter((_, at) => inputStates[at]?.status === 'missed')
  if (missed.length === 0) return undefined
  const owners = missed.map(({ user, chainId }) => `of ${user} on chain ${chainId}`)
  return `The deposit ${owners.join(' and the one ')} did not arrive in time.`
}

/** Says that a deposit is refunded alone, while the request waits for another one. */
function refusedDetails(
  { refundTo, originChainId }: QuotedRequest,
  { status, refusedDeposit }: RequestState,
): string | undefined {
  if (refusedDeposit === undefined || !isAwaiting(status)) return undefined
  const why = failReasonTexts[refusedDeposit]
  return `${why} It is refunded to ${refundTo} on chain ${originChainId}, minus gas. The request still waits for the full amount in one deposit.`
}

/** Names the last step whose transaction reverted, while nothing has taken its place. */
function revertedDetails(request: QuotedRequest, state: RequestState): string | undefined {
  if (!isAwaiting(state.status)) return undefined
  const reverted = state.steps.flatMap((items, step) =>
    items.flatMap((each) =>
      each.status === 'reverted' ? [{ id: request.steps[step]?.id, ...each.transaction }] : [],
    ),
  )
  const last = reverted.at(-1)
  if (last === undefined) return undefined
  const what = last.id === 'approve' ? 'approval' : 'deposit'
  return `The ${what} ${last.hash} on chain ${last.chainId} reverted. Only gas was spent. Send it again, or ask for a new quote.`
}

const uncapitalized = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

/** The address that the user of a request pays. */
export type DepositAddress = Readonly<{
  address: Account
  /** `open`: it takes any number of payments, each of which is a request of its own. `strict`: it takes one. */
  depositAddressType: 'open' | 'strict'
  depositor: Account
}>

/** The deposit address of a request; undefined if it has none. */
export function shownDepositAddress(request: QuotedRequest): DepositAddress | undefined {
  if (request.execution !== 'solver') return undefined
  const { depositAddress: address, depositor, open, parentId } = request
  if (address === undefined || depositor === undefined) return undefined
  const isOpen = open !== undefined || parentId !== undefined
  return { address, depositAddressType: isOpen ? 'open' : 'strict', depositor }
}

/** The request of the open deposit address that a request pays; undefined for other requests. */
export const parentIdOf = (request: QuotedRequest): Hash | undefined =>
  request.execution === 'solver' ? request.parentId : undefined

/** Whether the quote exceeded the solver's balance, so that its fill may wait for liquidity. */
export const awaitsLiquidity = (request: QuotedRequest): boolean =>
  request.execution === 'solver' && request.fill.externalLiquiditySeconds !== undefined

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
