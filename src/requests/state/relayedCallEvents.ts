import { withStatus } from './inputEvents.ts'
import type { RequestEvent } from './requestEvent.ts'
import { isAwaiting, type RequestState, type StoredRequest } from './requestState.ts'

/** Applies an event of a call that deposits for the request. */
export function withCallEvent(
  request: StoredRequest,
  { type }: Extract<RequestEvent, { type: `call${string}` }>,
): RequestState {
  const { state } = request
  if (type === 'callAccepted')
    return isAwaiting(state.status) ? { ...state, isSubmitted: true } : state
  const { isSubmitted, ...rest } = state
  return isSubmitted === undefined ? state : withStatus(request, rest)
}

/** The request is `depositing` while the relayer sends its deposit. A reorg of the deposit restores this status. */
export const withSubmission = (state: RequestState): RequestState =>
  state.isSubmitted === true && state.status === 'waiting'
    ? { ...state, status: 'depositing' }
    : state
