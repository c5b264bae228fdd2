import { isDeepStrictEqual } from 'node:util'
import type { Step } from '#src/protocol/step.ts'
import {
  hashOf,
  isMain,
  isMultiInput,
  mainSteps,
  ownSteps,
  refundsOf,
  sentAgain,
  showsOther,
  skipped,
  waiting,
  withConfirmed,
  withFill,
  withFillUndone,
  withInput,
  withItem,
  withMain,
  withoutFill,
  withoutImplied,
  withoutInput,
  withoutMain,
  withRefund,
  withRefundAt,
} from './progress.ts'
import type { RequestEvent } from './state/requestEvent.ts'
import {
  type InputState,
  isAwaiting,
  isTerminal,
  type ObservedTransaction,
  type Progress,
  type RequestState,
  type RequestStatus,
  type StoredRequest,
} from './state/requestState.ts'

/** An event of one or several types. */
type EventOf<Type extends RequestEvent['type']> = Extract<RequestEvent, Readonly<{ type: Type }>>

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
      return withApproval(request, event)
    case 'stepReverted':
      return withReverted(state, event)
    case 'depositSeen':
      return withStatus(request, depositSeen(request, event))
    case 'depositCredited':
      return withStatus(request, credited(request, event))
    case 'depositUndone':
      return depositUndone(request, event)
    case 'depositRefused':
      return depositRefused(request, event)
    case 'inputMissed':
      return withStatus(request, missed(state, event))
    case 'swapSeen':
    case 'swapUndone':
    case 'swapConfirmed':
    case 'swapReverted':
      return withSwap(request, event)
    case 'permitSigned':
      return state.status === 'waiting' ? { ...state, isSigned: true } : state
    case 'permitSent':
      return permitSent(state, event)
    case 'permitFailed':
      return permitFailed(state, event)
    case 'callAccepted':
      return isAwaiting(state.status) ? { ...state, isSubmitted: true } : state
    case 'callEnded':
      return callEnded(request)
    case 'fillSent':
      return isPlanned(state) ? fillSent(state, event) : state
    case 'fillMined':
      return {
        ...withFill(state, 'seen', event.transaction),
        status: isPlanned(state) ? 'submitted' : state.status,
      }
    case 'fillUndone':
      return unfilled(state, withFillUndone(state, event.transaction))
    case 'fillConfirmed':
      return fillConfirmed(state, event.transaction)
    case 'fillReverted':
      return unfilled(state, hashOf(state.fill) === undefined ? state : withFillFailed(state))
    case 'refundDue':
      return isPlanned(state) ? refundDue(state, event) : state
    case 'refundSent':
      return isPlanned(state) ? withRefund(state, 'sent', event) : state
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
      return isPlanned(state)
        ? {
            ...withRefundDone(withoutFill(state, skipped), event.input, skipped),
            refundFailReason: event.reason,
          }
        : state
    case 'superseded':
      return { ...state, supersededBy: event.by }
  }
}

/** Whether the solver plans the fill or the refunds, or has sent the fill. */
const isPlanned = ({ status }: RequestState): boolean =>
  status === 'pending' || status === 'submitted'

function withApproval(
  request: StoredRequest,
  { type, step, item, transaction }: EventOf<'approvalSeen' | 'approvalConfirmed'>,
): RequestState {
  const { state } = request
  const known = state.steps[step]?.[item]
  const isMainItem =
    mainSteps(request).includes(step) && item === (state.steps[step]?.length ?? 0) - 1
  if (known === undefined || isMainItem || known.status === 'confirmed') return state
  const status = type === 'approvalSeen' ? 'seen' : 'confirmed'
  return withItem(state, step, item, { status, transaction })
}

/** Shows the revert only if no other transaction of the item is known. The user may still send another one. */
function withReverted(
  state: RequestState,
  { step, item, transaction }: EventOf<'stepReverted'>,
): RequestState {
  const known = state.steps[step]?.[item]
  return known?.status === 'waiting' || known?.status === 'reverted'
    ? withItem(state, step, item, { status: 'reverted', transaction })
    : state
}

/** Derives the status while deposits are awaited: `waiting`, `depositing` (multi-input only) or `pending`. */
function withStatus(request: StoredRequest, state: RequestState): RequestState {
  if (!isAwaiting(state.status)) return state
  const { inputStates, inTxHashes } = state
  const isFunded = inputStates.some(({ status }) => status === 'funded')
  const isDecided = inputStates.every(({ status }) => status !== 'open')
  const isSeen = isFunded || inTxHashes.length > 0
  const undecided = isMultiInput(request) && isSeen ? 'depositing' : 'waiting'
  return { ...state, status: isFunded && isDecided ? 'pending' : undecided }
}

type DepositEvent = EventOf<'depositSeen' | 'depositCredited' | 'depositUndone'>

/** Anybody can send many small deposits for an order. Only the first ones are shown. */
const maxSeenDeposits = 100

function depositSeen(request: StoredRequest, { input, transaction }: DepositEvent): RequestState {
  const { state } = request
  const own = ownSteps(request, input)
  const known = state.inTxHashes.length < maxSeenDeposits ? withInput(state, transaction) : state
  return showsOther(state, own, transaction) ? known : withMain(known, own, 'seen', transaction)
}

/** The deposit is refunded alone. Its step awaits another deposit. */
function depositRefused(
  request: StoredRequest,
  { reason, transaction }: EventOf<'depositRefused'>,
): RequestState {
  const { state } = request
  if (!isAwaiting(state.status)) return state
  return {
    ...withoutMain(state, mainSteps(request), transaction),
    refusedDeposit: reason,
  }
}

const withInputState = (
  { inputStates }: RequestState,
  input: number,
  inputState: InputState,
): readonly InputState[] => inputStates.map((each, at) => (at === input ? inputState : each))

function credited(
  request: StoredRequest,
  { input, depositId, transaction, isIncomplete }: DepositEvent,
): RequestState {
  const { state } = request
  const funding = state.inputStates[input]
  if (funding === undefined) return state
  const isKnown = funding.status === 'funded' && funding.depositId === depositId
  if (!isKnown && !mayFund(state, funding)) return state
  const { refusedDeposit: _, ...accepted } = state
  const shown = withoutMain(withInput(accepted, transaction), mainSteps(request), transaction)
  return {
    ...withConfirmed(shown, ownSteps(request, input), transaction),
    inputStates: withInputState(state, input, {
      status: 'funded',
      depositId,
      ...(isIncomplete && { isIncomplete }),
    }),
  }
}

/** If every input was missed, a late deposit funds the request, so that it ends with a refund. */
function mayFund({ status, inputStates }: RequestState, input: InputState): boolean {
  const areAllMissed = inputStates.every((each) => each.status === 'missed')
  return isAwaiting(status) && (input.status === 'open' || areAllMissed)
}

function missed(state: RequestState, { input }: EventOf<'inputMissed'>): RequestState {
  const isOpen = isAwaiting(state.status) && state.inputStates[input]?.status === 'open'
  return isOpen
    ? { ...state, inputStates: withInputState(state, input, { status: 'missed' }) }
    : state
}

/** Once a payment was sent, the request continues without the deposit's block, which may return. */
function depositUndone(
  request: StoredRequest,
  { input, depositId, transaction }: DepositEvent,
): RequestState {
  const { state } = request
  const funding = state.inputStates[input]
  const isFunding = funding?.status === 'funded' && funding.depositId === depositId
  if (!isFunding) return withStatus(request, withoutInput(state, transaction))
  if (hashOf(state.fill) !== undefined || hashOf(state.refunds?.[input]) !== undefined) return state
  const others = withInputState(state, input, { status: 'open' })
  if (state.refunds !== undefined && others.some(({ status }) => status === 'funded'))
    return withoutRefund(withoutProven(state, request, input, transaction), input)
  // The decisions about the deposit are taken back with it.
  const { failReason: _, refundFailReason: __, refunds: ___, ...rest } = state
  return withStatus(request, {
    ...withoutProven(rest, request, input, transaction),
    ...(rest.fill && { fill: waiting }),
    inputStates: others,
    status: 'waiting',
  })
}

/** The other inputs are being refunded. An orphaned deposit is not awaited again; if it returns, it is refunded alone. */
const withoutRefund = (state: RequestState, input: number): RequestState =>
  withRefundDone(
    { ...state, inputStates: withInputState(state, input, { status: 'missed' }) },
    input,
    skipped,
  )

const withoutProven = (
  state: RequestState,
  request: StoredRequest,
  input: number,
  transaction: ObservedTransaction,
): RequestState => withoutImplied(withoutInput(state, transaction), ownSteps(request, input))

function withSwap(
  request: StoredRequest,
  { type, transaction }: EventOf<'swapSeen' | 'swapUndone' | 'swapConfirmed' | 'swapReverted'>,
): RequestState {
  const { state } = request
  // A request with inputs is paid by deposits, never by a swap.
  if (state.inputStates.length > 0) return state
  const own = ownSteps(request, 0)
  if (type === 'swapUndone')
    return isMain(state, own, transaction)
      ? {
          ...withoutImplied(withoutInput(state, transaction), own),
          status: 'waiting',
          txHashes: [],
        }
      : state
  if (showsOther(state, own, transaction)) return state
  const shown = withInput(state, transaction)
  const txHashes: RequestState['txHashes'] = [transaction.hash]
  switch (type) {
    case 'swapSeen':
      return { ...withMain(shown, own, 'seen', transaction), status: 'pending', txHashes }
    case 'swapConfirmed':
      return { ...withConfirmed(shown, own, transaction), status: 'success', txHashes }
    case 'swapReverted':
      return {
        ...withConfirmed(shown, own, transaction),
        status: 'failure',
        failReason: 'TRANSACTION_REVERTED',
        txHashes: [],
      }
  }
}

/** Shows the solver's transaction until a block contains the deposit or the swap. */
function permitSent(state: RequestState, { transaction }: EventOf<'permitSent'>): RequestState {
  const last = state.steps.length - 1
  const known = state.steps[last]?.at(-1)
  const isShown = known?.status === 'signed' || known?.status === 'sent'
  if (state.status !== 'depositing' || !isShown) return state
  return withItem(state, last, 0, { status: 'sent', transaction })
}

/** Ends the request as failed, unless a payment was seen or credited. */
function permitFailed(state: RequestState, { reason }: EventOf<'permitFailed'>): RequestState {
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

const signed: Progress = { status: 'signed' }

/**
 * Shows the signature while no payment is seen: its steps are `signed`, and the request is `depositing`. A reorg that
 * undoes the deposit restores this state.
 */
function withSignatures(
  { steps }: Readonly<{ steps: readonly Step[] }>,
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

/** A call that should have deposited for the request has ended. */
function callEnded(request: StoredRequest): RequestState {
  const { isSubmitted, ...rest } = request.state
  return isSubmitted === undefined ? request.state : withStatus(request, rest)
}

/** The request is `depositing` while the relayer sends its deposit. A reorg of the deposit restores this status. */
const withSubmission = (state: RequestState): RequestState =>
  state.isSubmitted === true && state.status === 'waiting'
    ? { ...state, status: 'depositing' }
    : state

function fillSent(
  state: RequestState,
  { skipsCalls, transaction }: EventOf<'fillSent'>,
): RequestState {
  const isPaidOut = skipsCalls === true && state.refunds === undefined
  return {
    ...withFill(state, 'sent', transaction),
    ...(isPaidOut && { failReason: 'EXECUTION_REVERTED' }),
    status: 'submitted',
  }
}

/** `after` a fill that has no effect any more: another one is planned. */
const unfilled = (before: RequestState, after: RequestState): RequestState =>
  after === before ? before : { ...after, status: isPlanned(before) ? 'pending' : before.status }

/** The fill is `waiting` again. Also removes its reason for skipping the order's calls. */
function withFillFailed(state: RequestState): RequestState {
  const { failReason: _, ...rest } = state
  return withoutFill(state.refunds === undefined ? rest : state, waiting)
}

/** The recipient was paid: a refund that was due is dropped with its reason. */
function fillConfirmed(state: RequestState, transaction: ObservedTransaction): RequestState {
  const { failReason, refunds, ...rest } = state
  const isKept = refunds === undefined && failReason !== undefined
  return {
    ...withFill(rest, 'confirmed', transaction),
    ...(isKept && { failReason }),
    status: 'success',
  }
}

function refundDue(state: RequestState, { reason }: EventOf<'refundDue'>): RequestState {
  if (state.failReason !== undefined && state.refunds !== undefined) return state
  return {
    ...withoutFill(state, skipped),
    status: 'pending',
    failReason: reason,
    refunds: refundsOf(state),
  }
}

/** The state with the refund of an input skipped or confirmed. */
const withRefundDone = (state: RequestState, input: number, refund: Progress): RequestState =>
  ended(withRefundAt(state, input, refund))

/** Ends the request once every refund is confirmed or skipped. */
function ended(state: RequestState): RequestState {
  const refunds = refundsOf(state)
  const isOver = refunds.every(({ status }) => status === 'confirmed' || status === 'skipped')
  const isPaid = refunds.some(({ status }) => status === 'confirmed')
  const end = isPaid ? 'refund' : 'failure'
  const open = state.status === 'submitted' ? 'pending' : state.status
  return { ...state, failReason: state.failReason ?? 'UNKNOWN', status: isOver ? end : open }
}
