import { isDeepStrictEqual } from 'node:util'
import type { RequestStatus } from '#src/requests/status/requestStatus.ts'
import { withInputEvent } from './inputEvents.ts'
import { withFillEvent, withRefundEvent } from './paymentEvents.ts'
import { withPermitEvent, withSignatures } from './permitEvents.ts'
import { withCallEvent, withSubmission } from './relayedCallEvents.ts'
import type { RequestEvent } from './requestEvent.ts'
import type { StoredRequest } from './requestState.ts'
import { isTerminal, type RequestState } from './requestState.ts'

/**
 * The statuses that may follow a status. A final payment ends a request from any open status, even if a reorg has
 * just undone its deposit. @source docs/protocol.md §2
 */
const next = {
  waiting: ['depositing', 'pending', 'success', 'refund'],
  depositing: ['waiting', 'pending', 'success', 'failure', 'refund'],
  pending: ['waiting', 'depositing', 'submitted', 'success', 'failure', 'refund'],
  submitted: ['pending', 'success', 'failure', 'refund'],
  success: [],
  failure: [],
  refund: [],
} as const satisfies Record<RequestStatus, readonly RequestStatus[]>

/** Whether one change may lead from status `from` to status `to`. */
export const mayFollow = (from: RequestStatus, to: RequestStatus): boolean =>
  from === to || (next[from] as readonly RequestStatus[]).includes(to)

/**
 * The request's state after `event`, at `at` (Unix ms), with the next `seq`. Returns the same object if nothing
 * changes: the event was already known, comes too late, or is not allowed in this state.
 */
export function advance(request: StoredRequest, event: RequestEvent, at: number): RequestState {
  const { state } = request
  if (isTerminal(state.status)) return state
  const after = withSubmission(withSignatures(request, change(request, event)))
  if (!mayFollow(state.status, after.status) || isDeepStrictEqual(after, state)) return state
  return { ...after, seq: state.seq + 1, updatedAt: at }
}

/** Applies `event` to an open state. */
function change(request: StoredRequest, event: RequestEvent): RequestState {
  const { state } = request
  switch (event.type) {
    case 'approvalSeen':
    case 'approvalConfirmed':
    case 'stepReverted':
    case 'depositSeen':
    case 'depositCredited':
    case 'depositUndone':
    case 'depositRefused':
    case 'inputMissed':
    case 'swapSeen':
    case 'swapUndone':
    case 'swapConfirmed':
    case 'swapReverted':
      return withInputEvent(request, event)
    case 'permitSigned':
    case 'permitSent':
    case 'permitFailed':
      return withPermitEvent(request, event)
    case 'callAccepted':
    case 'callEnded':
      return withCallEvent(request, event)
    case 'fillSent':
    case 'fillMined':
    case 'fillUndone':
    case 'fillConfirmed':
    case 'fillReverted':
      return withFillEvent(state, event)
    case 'refundDue':
    case 'refundSent':
    case 'refundMined':
    case 'refundUndone':
    case 'refundConfirmed':
    case 'refundFailed':
      return withRefundEvent(state, event)
    case 'superseded':
      return { ...state, supersededBy: event.by }
  }
}
