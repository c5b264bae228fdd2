import { failReasonTexts, refundFailReasonTexts } from '#src/gateway/graphql/requestReasons.ts'
import type { RequestAnswer } from '#src/operations/operations.ts'

/** What went otherwise than quoted, and where the money is, for people; undefined where all goes well. */
export function statusDetails({ request, state }: RequestAnswer): string | undefined {
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
