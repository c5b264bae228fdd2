import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { RequestState } from '#src/requests/state/requestState.ts'
import { failReasonTexts, refundFailReasonTexts } from './reasonTexts.ts'

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
  if (failReason === undefined || status === 'success') return missedDetails(request, state)
  const why = failReason === 'UNKNOWN' ? 'It is not filled.' : failReasonTexts[failReason]
  if (request.execution === 'user') return `${why} Nothing moved but gas: ask for a new quote.`
  const kept =
    refundFailReason === undefined ? '' : uncapitalized(refundFailReasonTexts[refundFailReason])
  const { payees, isOne } = refundedBy(request, state)
  const what = isOne ? 'The deposit' : 'The deposits'
  if (status === 'failure') {
    return kept === '' ? why : `${why} ${what} cannot be paid back: ${kept}`
  }
  const [was, is] = isOne ? ['was', 'is'] : ['were', 'are']
  const paid = status === 'refund' ? `${was} paid back` : `${is} to be paid back`
  const rest = kept === '' ? '' : ` One cannot be paid back: ${kept}`
  return `${why} ${what} ${paid} to ${payees}, less the gas of that.${rest}`
}

/** To whom what the request counts on goes back. */
function refundedBy(
  { inputs }: Extract<QuotedRequest, { execution: 'solver' }>,
  { fundings, refunds }: RequestState,
) {
  const owed = inputs.filter((_, at) => fundings[at]?.status === 'funded')
  const paid = inputs.filter((_, at) => (refunds?.[at]?.status ?? 'skipped') !== 'skipped')
  const payees = (paid.length > 0 ? paid : owed).map(
    ({ refundTo, chainId }) => `${refundTo} on chain ${chainId}`,
  )
  return { payees: [...new Set(payees)].join(' and '), isOne: owed.length === 1 }
}

/** What was filled, or is to be, without. */
function missedDetails(request: QuotedRequest, { fundings }: RequestState): string | undefined {
  if (request.execution === 'user') return undefined
  const missed = request.inputs.filter((_, at) => fundings[at]?.status === 'missed')
  if (missed.length === 0) return undefined
  const whose = missed.map(({ user, chainId }) => `of ${user} on chain ${chainId}`)
  return `The deposit ${whose.join(' and the one ')} did not come in time.`
}

const uncapitalized = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`
