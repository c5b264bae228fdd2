import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import { type FailReason, isAwaiting, type RequestState } from '#src/requests/state/requestState.ts'
import { shownDepositAddress } from './depositAddress.ts'
import { failReasonTexts, refundFailReasonTexts } from './reasonTexts.ts'

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
  ...depositAddressOf(request),
  ...(state.supersededBy !== undefined && { supersededByRequestId: state.supersededBy }),
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
