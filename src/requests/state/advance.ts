import { isDeepStrictEqual } from 'node:util'
import type { RequestStatus } from '#src/requests/status/requestStatus.ts'
import { withInputEvent } from './inputEvents.ts'
import { withFillEvent, withRefundEvent } from './paymentEvents.ts'
import type { RequestEvent } from './requestEvent.ts'
import type { StoredRequest } from './requestState.ts'
import { isTerminal, type RequestState } from './requestState.ts'

/**
 * What may follow a status. @source PROTOCOL §2, and one thing more: what was paid is paid, so a payment
 * that counts ends a request that a reorg has set back meanwhile.
 */
const next = {
  waiting: ['depositing', 'pending', 'success', 'refund'],
  depositing: ['waiting', 'pending', 'success', 'refund'],
  pending: ['waiting', 'depositing', 'submitted', 'success', 'failure', 'refund'],
  submitted: ['pending', 'success', 'failure', 'refund'],
  success: [],
  failure: [],
  refund: [],
} as const satisfies Record<RequestStatus, readonly RequestStatus[]>

/** Whether one change may lead from a status to another. */
export const mayFollow = (from: RequestStatus, to: RequestStatus): boolean =>
  from === to || (next[from] as readonly RequestStatus[]).includes(to)

/**
 * The request's state after `event`, at `at` (milliseconds since 1970). The very same object where nothing changes: the
 * event was known, it comes too late, or it cannot follow what is known. Each change is the next `seq`.
 */
export function advance(request: StoredRequest, event: RequestEvent, at: number): RequestState {
  const { state } = request
  if (isTerminal(state.status)) return state
  const after = change(request, event)
  if (!mayFollow(state.status, after.status) || isDeepStrictEqual(after, state)) return state
  return { ...after, seq: state.seq + 1, updatedAt: at }
}

/** What `event` would make of an open state. */
function change(request: StoredRequest, event: RequestEvent): RequestState {
  const { state } = request
  switch (event.type) {
    case 'approvalSeen':
    case 'approvalConfirmed':
    case 'depositSeen':
    case 'depositCredited':
    case 'depositUndone':
    case 'inputMissed':
    case 'swapSeen':
    case 'swapUndone':
    case 'swapConfirmed':
    case 'swapReverted':
      return withInputEvent(request, event)
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
  }
}
