import { hashOf, skipped, waiting } from '#src/requests/status/shownProgress.ts'
import type { RequestEvent } from './requestEvent.ts'
import type { ObservedTransaction, Progress, RequestState } from './requestState.ts'

type FillEvent = Extract<RequestEvent, { type: `fill${string}` }>
type RefundEvent = Extract<RequestEvent, { type: `refund${string}` }>

/** Applies an event of the solver's fill to an open state. */
export function withFillEvent(state: RequestState, event: FillEvent): RequestState {
  const isPlanned = state.status === 'pending' || state.status === 'submitted'
  switch (event.type) {
    case 'fillSent': {
      if (!isPlanned) return state
      const skipsCalls = event.skipsCalls === true && state.refunds === undefined
      return {
        ...withFill(state, 'sent', event.transaction),
        ...(skipsCalls && { failReason: 'EXECUTION_REVERTED' }),
        status: 'submitted',
      }
    }
    case 'fillMined':
      return {
        ...withFill(state, 'seen', event.transaction),
        status: isPlanned ? 'submitted' : state.status,
      }
    case 'fillUndone': {
      const after = withFillUndone(state, event.transaction)
      return after === state ? state : { ...after, status: isPlanned ? 'pending' : state.status }
    }
    case 'fillConfirmed': {
      // A refund that was due is dropped with its reason: the recipient was paid.
      const { failReason, refunds, ...rest } = state
      const isKept = refunds === undefined && failReason !== undefined
      return {
        ...withFill(rest, 'confirmed', event.transaction),
        ...(isKept && { failReason }),
        status: 'success',
      }
    }
    case 'fillReverted':
      return hashOf(state.fill) === undefined
        ? state
        : { ...withFillFailed(state), status: isPlanned ? 'pending' : state.status }
  }
}

/** Applies an event of a refund to an open state. */
export function withRefundEvent(state: RequestState, event: RefundEvent): RequestState {
  const isPlanned = state.status === 'pending' || state.status === 'submitted'
  switch (event.type) {
    case 'refundDue':
      if (!isPlanned || (state.failReason !== undefined && state.refunds !== undefined))
        return state
      return {
        ...withoutFill(state, skipped),
        status: 'pending',
        failReason: event.reason,
        refunds: refundsOf(state),
      }
    case 'refundSent':
      return isPlanned ? withRefund(state, 'sent', event) : state
    case 'refundMined':
      return withRefund(state, 'seen', event)
    case 'refundUndone':
      return hashOf(state.refunds?.[event.input]) === event.transaction.hash
        ? withRefundAt(state, event.input, sentAgain(event.transaction))
        : state
    case 'refundConfirmed':
      return ended({
        ...withRefund(withoutFill(state, skipped), 'confirmed', event),
        ...(event.isRefused && { refundFailReason: 'RECIPIENT_REFUSED' }),
      })
    case 'refundFailed':
      return isPlanned
        ? {
            ...withRefundDone(withoutFill(state, skipped), event.input, skipped),
            refundFailReason: event.reason,
          }
        : state
  }
}

/** Removes the fill's transaction: the fill is `waiting` again, or `skipped`. */
function withoutFill(state: RequestState, expected: typeof waiting | typeof skipped): RequestState {
  if (state.fill === undefined) return state
  const txHashes = state.txHashes.filter((each) => each !== hashOf(state.fill))
  return { ...state, fill: expected, txHashes }
}

/** Sets the fill's progress. A `sent` transaction does not replace one that a block contains. */
function withFill(
  state: RequestState,
  status: 'sent' | 'seen' | 'confirmed',
  transaction: ObservedTransaction,
): RequestState {
  if (status === 'sent' && state.fill?.status === 'seen') return state
  const txHashes = status === 'sent' ? state.txHashes : [transaction.hash]
  return { ...state, fill: { status, transaction }, txHashes }
}

/** The fill is `waiting` again. Also removes its reason for skipping the order's calls. */
function withFillFailed(state: RequestState): RequestState {
  const { failReason: _, ...rest } = state
  return withoutFill(state.refunds === undefined ? rest : state, waiting)
}

/** The block of the fill was orphaned. The same transaction is sent again. */
function withFillUndone(state: RequestState, transaction: ObservedTransaction): RequestState {
  if (hashOf(state.fill) !== transaction.hash) return state
  const txHashes = state.txHashes.filter((each) => each !== transaction.hash)
  return { ...state, fill: sentAgain(transaction), txHashes }
}

const sentAgain = ({ chainId, hash }: ObservedTransaction): Progress => ({
  status: 'sent',
  transaction: { chainId, hash },
})

/** Refunds are due for the funded inputs only. */
const refundsOf = ({ refunds, inputStates }: RequestState): readonly Progress[] =>
  refunds ?? inputStates.map(({ status }) => (status === 'funded' ? waiting : skipped))

/** Sets a refund's progress, by the same rule as `withFill`. */
function withRefund(
  state: RequestState,
  status: 'sent' | 'seen' | 'confirmed',
  { input, transaction }: Readonly<{ input: number; transaction: ObservedTransaction }>,
): RequestState {
  if (status === 'sent' && state.refunds?.[input]?.status === 'seen') return state
  return withRefundAt(state, input, { status, transaction })
}

/** `txHashes` are the refunds that blocks contain, without duplicates. */
function withRefundAt(state: RequestState, input: number, refund: Progress): RequestState {
  const refunds = refundsOf(state).map((each, at) => (at === input ? refund : each))
  const mined = refunds.flatMap((each) =>
    'transaction' in each && each.status !== 'sent' ? [each.transaction.hash] : [],
  )
  return { ...state, refunds, txHashes: [...new Set(mined)] }
}

/** The state with the refund of an input skipped or confirmed. */
export const withRefundDone = (
  state: RequestState,
  input: number,
  refund: Progress,
): RequestState => ended(withRefundAt(state, input, refund))

/** Ends the request once every refund is confirmed or skipped. */
function ended(state: RequestState): RequestState {
  const refunds = refundsOf(state)
  const isOver = refunds.every(({ status }) => status === 'confirmed' || status === 'skipped')
  const isPaid = refunds.some(({ status }) => status === 'confirmed')
  const end = isPaid ? 'refund' : 'failure'
  const open = state.status === 'submitted' ? 'pending' : state.status
  return { ...state, failReason: state.failReason ?? 'UNKNOWN', status: isOver ? end : open }
}
