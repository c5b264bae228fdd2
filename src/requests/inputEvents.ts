import type { RequestEvent } from './requestEvent.ts'
import type { RequestState, TransactionSighting } from './requestState.ts'
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

type InputEvent = Extract<
  RequestEvent,
  { type: `approval${string}` | `deposit${string}` | `swap${string}` }
>

/** What an event of the user's own transactions makes of an open state. */
export function withInputEvent(state: RequestState, event: InputEvent): RequestState {
  const { transaction } = event
  switch (event.type) {
    case 'approvalSeen':
    case 'approvalConfirmed':
      return withApproval(state, event)
    case 'depositSeen':
      return showsOther(state, transaction)
        ? withInput(state, transaction)
        : withMain(withInput(state, transaction), 'seen', transaction)
    case 'depositCredited':
      return credited(state, transaction)
    case 'depositUndone':
      return depositUndone(state, transaction)
    case 'swapSeen':
      return swapSeen(state, transaction)
    case 'swapUndone':
      return isMain(state, transaction)
        ? { ...withoutInput(state, transaction), status: 'waiting', txHashes: [] }
        : state
    case 'swapConfirmed':
      return showsOther(state, transaction) ? state : swapEnded(state, transaction)
    case 'swapReverted':
      return showsOther(state, transaction)
        ? state
        : {
            ...swapEnded(state, transaction),
            ...{ status: 'failure', failReason: 'TRANSACTION_REVERTED', txHashes: [] },
          }
  }
}

function withApproval(
  state: RequestState,
  { type, step, item, transaction }: Extract<RequestEvent, { step: number }>,
): RequestState {
  const known = state.steps[step]?.[item]
  const isMainItem =
    step === state.steps.length - 1 && item === (state.steps[step]?.length ?? 0) - 1
  if (known === undefined || isMainItem || known.status === 'confirmed') return state
  const status = type === 'approvalSeen' ? 'seen' : 'confirmed'
  return withItem(state, step, item, { status, transaction })
}

function credited(state: RequestState, transaction: TransactionSighting): RequestState {
  const isFirst = state.status === 'waiting' || state.status === 'depositing'
  if (!isFirst && !isMain(state, transaction)) return state
  const { status } = state
  return {
    ...withConfirmed(withInput(state, transaction), transaction),
    status: isFirst ? 'pending' : status,
  }
}

/** While a payment is on its way the request goes on without the deposit's block: it may come back. */
function depositUndone(state: RequestState, transaction: TransactionSighting): RequestState {
  const isFunded = state.status === 'pending' || state.status === 'submitted'
  if (!isFunded || !isMain(state, transaction)) return withoutInput(state, transaction)
  if (hashOf(state.fill) !== undefined || hashOf(state.refund) !== undefined) return state
  // What was judged of the deposit goes with it.
  const { failReason: _, refund: __, ...rest } = state
  const fill = rest.fill && { fill: waiting }
  return { ...withoutInput(rest, transaction), ...fill, status: 'waiting' }
}

function swapSeen(state: RequestState, transaction: TransactionSighting): RequestState {
  if (showsOther(state, transaction)) return state
  const { hash } = transaction
  const shown = withMain(withInput(state, transaction), 'seen', transaction)
  return { ...shown, status: 'pending', txHashes: [hash] }
}

const swapEnded = (state: RequestState, transaction: TransactionSighting): RequestState => ({
  ...withConfirmed(withInput(state, transaction), transaction),
  status: 'success',
  txHashes: [transaction.hash],
})
