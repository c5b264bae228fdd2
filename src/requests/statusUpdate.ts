import type { QuotedRequest } from './quotedRequest.ts'
import { failReasonTexts, refundFailReasonTexts } from './reasonTexts.ts'
import type { RequestState } from './requestState.ts'

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
  const why = failReason === 'UNKNOWN' ? 'It is not filled.' : failReasonTexts[failReason]
  if (request.execution === 'user') return `${why} Nothing moved but gas: ask for a new quote.`
  const payee = `${request.refundTo} on chain ${request.originChainId}`
  if (status === 'refund')
    return `${why} The deposit was paid back to ${payee}, less the gas of that.`
  if (status !== 'failure')
    return `${why} The deposit is to be paid back to ${payee}, less the gas of that.`
  return refundFailReason === undefined
    ? why
    : `${why} The deposit cannot be paid back: ${uncapitalized(refundFailReasonTexts[refundFailReason])}`
}

const uncapitalized = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`
