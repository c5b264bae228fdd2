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
import { isGathering, mainSteps, ownSteps } from './ownSteps.ts'
import { withRefundDone } from './paymentEvents.ts'
import type { RequestEvent } from './requestEvent.ts'
import type { InputFunding, StoredRequest } from './requestState.ts'
import { isAwaiting, type RequestState, type TransactionSighting } from './requestState.ts'

type InputEvent = Extract<
  RequestEvent,
  { type: `approval${string}` | `deposit${string}` | `input${string}` | `swap${string}` }
>
type DepositEvent = Extract<InputEvent, { depositId: string }>

/** What an event of a user's own transactions makes of an open request. */
export function withInputEvent(request: StoredRequest, event: InputEvent): RequestState {
  switch (event.type) {
    case 'approvalSeen':
    case 'approvalConfirmed':
      return withApproval(request, event)
    case 'depositSeen':
      return withStatus(request, depositSeen(request, event))
    case 'depositCredited':
      return withStatus(request, credited(request, event))
    case 'depositUndone':
      return depositUndone(request, event)
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
  { type, step, item, transaction }: Extract<RequestEvent, { step: number }>,
): RequestState {
  const { state } = request
  const known = state.steps[step]?.[item]
  const isMainItem =
    mainSteps(request).includes(step) && item === (state.steps[step]?.length ?? 0) - 1
  if (known === undefined || isMainItem || known.status === 'confirmed') return state
  const status = type === 'approvalSeen' ? 'seen' : 'confirmed'
  return withItem(state, step, item, { status, transaction })
}

/** Where deposits are still to come: a request of one waits for its own, one of several gathers them. */
function withStatus(request: StoredRequest, state: RequestState): RequestState {
  if (!isAwaiting(state.status)) return state
  const { fundings, inTxHashes } = state
  const isFunded = fundings.some(({ status }) => status === 'funded')
  const isDecided = fundings.every(({ status }) => status !== 'open')
  const isSeen = isFunded || inTxHashes.length > 0
  const undecided = isGathering(request) && isSeen ? 'depositing' : 'waiting'
  return { ...state, status: isFunded && isDecided ? 'pending' : undecided }
}

function depositSeen(request: StoredRequest, { input, transaction }: DepositEvent): RequestState {
  const { state } = request
  const own = ownSteps(request, input)
  return showsOther(state, own, transaction)
    ? withInput(state, transaction)
    : withMain(withInput(state, transaction), own, 'seen', transaction)
}

const withFunding = (
  { fundings }: RequestState,
  input: number,
  funding: InputFunding,
): readonly InputFunding[] => fundings.map((each, at) => (at === input ? funding : each))

function credited(
  request: StoredRequest,
  { input, depositId, transaction }: DepositEvent,
): RequestState {
  const { state } = request
  const funding = state.fundings[input]
  if (funding === undefined) return state
  const isKnown = funding.status === 'funded' && funding.depositId === depositId
  if (!isKnown && !mayFund(state, funding)) return state
  const shown = withoutMain(withInput(state, transaction), mainSteps(request), transaction)
  return {
    ...withConfirmed(shown, ownSteps(request, input), transaction),
    fundings: withFunding(state, input, { status: 'funded', depositId }),
  }
}

/** What came too late funds it as well once nothing else does: so that it ends, and pays that back. */
function mayFund({ status, fundings }: RequestState, funding: InputFunding): boolean {
  const isLost = fundings.every((each) => each.status === 'missed')
  return isAwaiting(status) && (funding.status === 'open' || isLost)
}

function missed(
  { state }: StoredRequest,
  { input }: Extract<InputEvent, { type: 'inputMissed' }>,
): RequestState {
  const isOpen = isAwaiting(state.status) && state.fundings[input]?.status === 'open'
  return isOpen ? { ...state, fundings: withFunding(state, input, { status: 'missed' }) } : state
}

/** While a payment is on its way the request goes on without the deposit's block: it may come back. */
function depositUndone(
  request: StoredRequest,
  { input, depositId, transaction }: DepositEvent,
): RequestState {
  const { state } = request
  const funding = state.fundings[input]
  const isFunding = funding?.status === 'funded' && funding.depositId === depositId
  if (!isFunding) return withStatus(request, withoutInput(state, transaction))
  if (hashOf(state.fill) !== undefined || hashOf(state.refunds?.[input]) !== undefined) return state
  const others = withFunding(state, input, { status: 'open' })
  if (state.refunds !== undefined && others.some(({ status }) => status === 'funded'))
    return withoutRefund(withoutProven(state, request, input, transaction), input)
  // What was judged of the deposit goes with it.
  const { failReason: _, refundFailReason: __, refunds: ___, ...rest } = state
  return withStatus(request, {
    ...withoutProven(rest, request, input, transaction),
    ...(rest.fill && { fill: waiting }),
    fundings: others,
    status: 'waiting',
  })
}

/** The others are paid back: what is gone is not waited for, and is paid back alone should it come again. */
const withoutRefund = (state: RequestState, input: number): RequestState =>
  withRefundDone(
    { ...state, fundings: withFunding(state, input, { status: 'missed' }) },
    input,
    skipped,
  )

const withoutProven = (
  state: RequestState,
  request: StoredRequest,
  input: number,
  transaction: TransactionSighting,
): RequestState => withoutImplied(withoutInput(state, transaction), ownSteps(request, input))

function withSwap(
  request: StoredRequest,
  { type, transaction }: Extract<InputEvent, { type: `swap${string}` }>,
): RequestState {
  const { state } = request
  // What has inputs is paid for by deposits.
  if (state.fundings.length > 0) return state
  const own = ownSteps(request, 0)
  if (type === 'swapUndone')
    return isMain(state, own, transaction)
      ? {
          ...withoutImplied(withoutInput(state, transaction), own),
          ...{ status: 'waiting', txHashes: [] },
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
        ...{ status: 'failure', failReason: 'TRANSACTION_REVERTED', txHashes: [] },
      }
  }
}
