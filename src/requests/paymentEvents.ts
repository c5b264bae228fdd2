import type { RequestEvent } from './requestEvent.ts'
import type { RequestState, TransactionSighting } from './requestState.ts'
import { hashOf, skipped, waiting } from './shownProgress.ts'

type FillEvent = Extract<RequestEvent, { type: `fill${string}` }>
type RefundEvent = Extract<RequestEvent, { type: `refund${string}` }>

/** What an event of the solver's payment makes of an open state. */
export function withFillEvent(state: RequestState, event: FillEvent): RequestState {
  const isPlanned = state.status === 'pending' || state.status === 'submitted'
  switch (event.type) {
    case 'fillSent':
      return isPlanned
        ? { ...withPayment(state, 'fill', 'sent', event.transaction), status: 'submitted' }
        : state
    case 'fillMined':
      return {
        ...withPayment(state, 'fill', 'seen', event.transaction),
        status: isPlanned ? 'submitted' : state.status,
      }
    case 'fillUndone': {
      const after = withPaymentUndone(state, 'fill', event.transaction)
      return after === state ? state : { ...after, status: isPlanned ? 'pending' : state.status }
    }
    case 'fillConfirmed': {
      // Were it to be refunded meanwhile, it is not: the recipient was paid.
      const { failReason: _, refund: __, ...rest } = state
      return { ...withPayment(rest, 'fill', 'confirmed', event.transaction), status: 'success' }
    }
    case 'fillReverted': {
      if (hashOf(state.fill) === undefined) return state
      return {
        ...withoutPayment(state, 'fill', waiting),
        status: isPlanned ? 'pending' : state.status,
      }
    }
  }
}

/** What an event of the payment back makes of an open state. */
export function withRefundEvent(state: RequestState, event: RefundEvent): RequestState {
  const isPlanned = state.status === 'pending' || state.status === 'submitted'
  switch (event.type) {
    case 'refundDue':
      if (!isPlanned || state.failReason !== undefined) return state
      return {
        ...withoutPayment(state, 'fill', skipped),
        ...{ status: 'pending', failReason: event.reason, refund: waiting },
      }
    case 'refundSent':
      return isPlanned ? withPayment(state, 'refund', 'sent', event.transaction) : state
    case 'refundMined':
      return withPayment(state, 'refund', 'seen', event.transaction)
    case 'refundUndone':
      return withPaymentUndone(state, 'refund', event.transaction)
    case 'refundConfirmed':
      return {
        ...withPayment(
          withoutPayment(state, 'fill', skipped),
          'refund',
          'confirmed',
          event.transaction,
        ),
        ...{ status: 'refund', failReason: state.failReason ?? 'UNKNOWN' },
      }
    case 'refundFailed':
      return isPlanned
        ? {
            ...withoutPayment(withoutPayment(state, 'fill', skipped), 'refund', skipped),
            ...{ status: 'failure', failReason: state.failReason ?? 'UNKNOWN' },
            refundFailReason: event.reason,
          }
        : state
  }
}

type Payment = 'fill' | 'refund'

/** Nothing is shown of a payment but that it is still, or not any more, to come; none where none ever was. */
function withoutPayment(
  state: RequestState,
  payment: Payment,
  expected: typeof waiting | typeof skipped,
): RequestState {
  const shown = state[payment]
  if (shown === undefined) return state
  const txHashes = state.txHashes.filter((each) => each !== hashOf(shown))
  return { ...state, [payment]: expected, txHashes }
}

/** How far a payment has come; it takes another transaction's place only until that one is in a block. */
function withPayment(
  state: RequestState,
  payment: Payment,
  status: 'sent' | 'seen' | 'confirmed',
  transaction: TransactionSighting,
): RequestState {
  const isMined = state[payment]?.status === 'seen'
  if (status === 'sent' && isMined) return state
  const txHashes = status === 'sent' ? state.txHashes : [transaction.hash]
  return { ...state, [payment]: { status, transaction }, txHashes }
}

/** The payment is in no block any more: it is sent again as it was. */
function withPaymentUndone(
  state: RequestState,
  payment: Payment,
  { chainId, hash }: TransactionSighting,
): RequestState {
  if (hashOf(state[payment]) !== hash) return state
  const txHashes = state.txHashes.filter((each) => each !== hash)
  return { ...state, [payment]: { status: 'sent', transaction: { chainId, hash } }, txHashes }
}
