import {
  hashOf,
  isMain,
  showsOther,
  skipped,
  waiting,
  withConfirmed,
  withInput,
  withItem,
  withMain,
  withoutImplied,
  withoutInput,
  withoutMain,
} from '#src/requests/status/shownProgress.ts'
import { isMultiInput, mainSteps, ownSteps } from './ownSteps.ts'
import { withRefundDone } from './paymentEvents.ts'
import type { RequestEvent } from './requestEvent.ts'
import type { InputState, StoredRequest } from './requestState.ts'
import { isAwaiting, type ObservedTransaction, type RequestState } from './requestState.ts'

type InputEvent = Extract<
  RequestEvent,
  {
    type:
      | `approval${string}`
      | `step${string}`
      | `deposit${string}`
      | `input${string}`
      | `swap${string}`
  }
>
type DepositEvent = Extract<InputEvent, { depositId: string }>

/** Applies an event of the user's own transactions to an open request. */
export function withInputEvent(request: StoredRequest, event: InputEvent): RequestState {
  switch (event.type) {
    case 'approvalSeen':
    case 'approvalConfirmed':
      return withApproval(request, event)
    case 'stepReverted':
      return withReverted(request, event)
    case 'depositSeen':
      return withStatus(request, depositSeen(request, event))
    case 'depositCredited':
      return withStatus(request, credited(request, event))
    case 'depositUndone':
      return depositUndone(request, event)
    case 'depositRefused':
      return depositRefused(request, event)
    case 'inputMissed':
      return withStatus(request, missed(request, event))
    case 'swapSeen':
    case 'swapUndone':
    case 'swapConfirmed':
    case 'swapReverted':
      return withSwap(request, event)
  }
}

function withApproval(
  request: StoredRequest,
  { type, step, item, transaction }: Extract<RequestEvent, { type: `approval${string}` }>,
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
  { state }: StoredRequest,
  { step, item, transaction }: Extract<RequestEvent, { type: 'stepReverted' }>,
): RequestState {
  const known = state.steps[step]?.[item]
  return known?.status === 'waiting' || known?.status === 'reverted'
    ? withItem(state, step, item, { status: 'reverted', transaction })
    : state
}

/** Derives the status while deposits are awaited: `waiting`, `depositing` (multi-input only) or `pending`. */
export function withStatus(request: StoredRequest, state: RequestState): RequestState {
  if (!isAwaiting(state.status)) return state
  const { inputStates, inTxHashes } = state
  const isFunded = inputStates.some(({ status }) => status === 'funded')
  const isDecided = inputStates.every(({ status }) => status !== 'open')
  const isSeen = isFunded || inTxHashes.length > 0
  const undecided = isMultiInput(request) && isSeen ? 'depositing' : 'waiting'
  return { ...state, status: isFunded && isDecided ? 'pending' : undecided }
}

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
  { reason, transaction }: Extract<InputEvent, { type: 'depositRefused' }>,
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

function missed(
  { state }: StoredRequest,
  { input }: Extract<InputEvent, { type: 'inputMissed' }>,
): RequestState {
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
  { type, transaction }: Extract<InputEvent, { type: `swap${string}` }>,
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
