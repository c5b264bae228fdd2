import type { QuotedRequest } from './quotedRequest.ts'
import { failReasonTexts, refundFailReasonTexts } from './reasonTexts.ts'
import type { FailReason, RequestState } from './requestState.ts'

/** How a request stands, as /ws and webhooks tell it: times in milliseconds since 1970. @source PROTOCOL §2 */
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
})

/** Whether it tells its reader anything that the one before did not. */
export const tellsMore = (update: StatusUpdate, before: StatusUpdate): boolean =>
  JSON.stringify({ ...update, updatedAt: 0 }) !== JSON.stringify({ ...before, updatedAt: 0 })

/** What went otherwise than quoted, and where the money is, for people; undefined where all goes well. */
function statusDetails(request: QuotedRequest, state: RequestState): string | undefined {
  const { status, failReason, refundFailReason } = state
  if (failReason === undefined || status === 'success') return undefined
  if (request.execution === 'user')
    return `${reasonText(failReason)} Nothing moved but gas: ask for a new quote.`
  const isMissing = request.gathering !== undefined && failReason === 'ORDER_EXPIRED'
  const why = isMissing ? 'Not every deposit came by the deadline.' : reasonText(failReason)
  const rest = refundFailReason && uncapitalized(refundFailReasonTexts[refundFailReason])
  if (status === 'failure') return rest ? `${why} The deposit cannot be paid back: ${rest}` : why
  const become = status === 'refund' ? 'was' : 'is to be'
  const paid = payeesOf(request, state).map((payee) => `to ${payee}`)
  const [subject, payees] =
    paid.length === 1
      ? ['The deposit', ` ${paid[0]}, less the gas of that.`]
      : ['Each deposit', `, less the gas of that: ${paid.join(', ')}.`]
  const kept = rest === undefined ? '' : ` What is left cannot be: ${rest}`
  return `${why} ${subject} ${become} paid back${payees}${kept}`
}

const reasonText = (reason: FailReason): string =>
  reason === 'UNKNOWN' ? 'It is not filled.' : failReasonTexts[reason]

/** Of the deposits that the request counts on, whom each is paid back to that can be. */
function payeesOf(
  { inputs }: Extract<QuotedRequest, { execution: 'solver' }>,
  { fundings, refunds }: RequestState,
): readonly string[] {
  const paid = inputs.filter(
    (_, at) => fundings[at]?.status === 'funded' && refunds?.[at]?.status !== 'skipped',
  )
  const shown = paid.length > 0 ? paid : inputs
  return shown.map(({ refundTo, chainId }) => `${refundTo} on chain ${chainId}`)
}

const uncapitalized = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`
