import type { InputFunding } from './funding.ts'
import { mainSteps, ownSteps } from './ownSteps.ts'
import type { RequestEvent } from './requestEvent.ts'
import type { RequestState } from './requestState.ts'
import {
  hashOf,
  isMain,
  showsOther,
  waiting,
  withConfirmed,
  withInput,
  withItem,
  withMain,
  withoutInput,
} from './shownProgress.ts'
import type { StoredRequest } from './storedRequest.ts'

type InputEvent = Extract<
  RequestEvent,
  { type: `approval${string}` | `deposit${string}` | `swap${string}` }
>
type DepositEvent = Extract<InputEvent, { depositId: string }>

/** What an event of a user's own transactions makes of an open request. */
export function withInputEvent(request: StoredRequest, event: InputEvent): RequestState {
  const { state } = request
  const { transaction } = event
  switch (event.type) {
    case 'approvalSeen':
    case 'approvalConfirmed':
      return withApproval(request, event)
    case 'depositSeen': {
      const own = ownSteps(request, event.input)
      return showsOther(state, own, transaction)
        ? withInput(state, transaction)
        : withMain(withInput(state, transaction), own, 'seen', transaction)
    }
    case 'depositCredited':
      return credited(request, event)
    case 'depositUndone':
      return depositUndone(request, event)
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
  const isFirst = state.status === 'waiting' || state.status === 'depositing'
  if (!isKnown && !(isFirst && funding.status === 'open')) return state
  return {
    ...withConfirmed(withInput(state, transaction), ownSteps(request, input), transaction),
    fundings: withFunding(state, input, { status: 'funded', depositId }),
    status: isFirst ? 'pending' : state.status,
  }
}

/** While a payment is on its way the request goes on without the deposit's block: it may come back. */
function depositUndone(
  request: StoredRequest,
  { input, depositId, transaction }: DepositEvent,
): RequestState {
  const { state } = request
  const funding = state.fundings[input]
  const own = ownSteps(request, input)
  const isFunding = funding?.status === 'funded' && funding.depositId === depositId
  if (!isFunding) return withoutInput(state, own, transaction)
  if (hashOf(state.fill) !== undefined || hashOf(state.refunds?.[input]) !== undefined) return state
  // What was judged of the deposit goes with it.
  const { failReason: _, refunds: __, ...rest } = state
  return {
    ...withoutInput(rest, own, transaction),
    ...(rest.fill && { fill: waiting }),
    fundings: withFunding(state, input, { status: 'open' }),
    status: 'waiting',
  }
}

function withSwap(
  request: StoredRequest,
  { type, transaction }: Extract<InputEvent, { type: `swap${string}` }>,
): RequestState {
  const { state } = request
  const own = ownSteps(request, 0)
  if (type === 'swapUndone')
    return isMain(state, own, transaction)
      ? { ...withoutInput(state, own, transaction), status: 'waiting', txHashes: [] }
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
