import { isDeepStrictEqual } from 'node:util'
import type { Step } from '#src/protocol/steps/step.ts'
import type { RequestStatus } from '#src/requests/status/requestStatus.ts'
import { hashOf, skipped, withItem } from '#src/requests/status/shownProgress.ts'
import { withInputEvent, withStatus } from './inputEvents.ts'
import { withFillEvent, withRefundEvent } from './paymentEvents.ts'
import type { RequestEvent } from './requestEvent.ts'
import {
  isAwaiting,
  isTerminal,
  type Progress,
  type RequestState,
  type StoredRequest,
} from './requestState.ts'

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

/** Applies an event of a call that deposits for the request. */
function withCallEvent(
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
const withSubmission = (state: RequestState): RequestState =>
  state.isSubmitted === true && state.status === 'waiting'
    ? { ...state, status: 'depositing' }
    : state

type PermitEvent = Extract<RequestEvent, { type: `permit${string}` }>

const signed: Progress = { status: 'signed' }

/** Applies an event of a payment by signature to an open request. */
function withPermitEvent({ state }: StoredRequest, event: PermitEvent): RequestState {
  switch (event.type) {
    case 'permitSigned':
      return state.status === 'waiting' ? { ...state, isSigned: true } : state
    case 'permitSent':
      return withSent(state, event)
    case 'permitFailed':
      return withFailure(state, event)
  }
}

/** Shows the solver's transaction until a block contains the deposit or the swap. */
function withSent(
  state: RequestState,
  { transaction }: Extract<PermitEvent, { type: 'permitSent' }>,
): RequestState {
  const last = state.steps.length - 1
  const known = state.steps[last]?.at(-1)
  const isShown = known?.status === 'signed' || known?.status === 'sent'
  if (state.status !== 'depositing' || !isShown) return state
  return withItem(state, last, 0, { status: 'sent', transaction })
}

/** Ends the request as failed, unless a payment was seen or credited. */
function withFailure(
  state: RequestState,
  { reason }: Extract<PermitEvent, { type: 'permitFailed' }>,
): RequestState {
  // A deposit that was refused is no payment, although `inTxHashes` shows it.
  const shown = state.steps.at(-1)?.at(-1)?.status
  const isPaid =
    shown === 'seen' ||
    shown === 'confirmed' ||
    state.inputStates.some(({ status }) => status === 'funded')
  if (state.status !== 'depositing' || state.isSigned !== true || isPaid) return state
  const sent = hashOf(state.steps.at(-1)?.at(-1)) !== undefined
  const after: RequestState = {
    ...state,
    status: 'failure',
    failReason: reason,
    ...(state.fill !== undefined && { fill: skipped }),
  }
  return sent ? withItem(after, state.steps.length - 1, 0, skipped) : after
}

/**
 * Shows the signature while no payment is seen: its steps are `signed`, and the request is `depositing`. A reorg that
 * undoes the deposit restores this state.
 */
function withSignatures(
  { steps }: Readonly<{ steps: readonly Pick<Step, 'signature'>[] }>,
  state: RequestState,
): RequestState {
  if (state.isSigned !== true) return state
  return {
    ...state,
    status: state.status === 'waiting' ? 'depositing' : state.status,
    steps: state.steps.map((items, step) =>
      steps[step]?.signature === undefined
        ? items
        : items.map((each) => (each.status === 'waiting' ? signed : each)),
    ),
  }
}
