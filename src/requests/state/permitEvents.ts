import type { Step } from '#src/protocol/steps/step.ts'
import { hashOf, skipped, withItem } from '#src/requests/status/shownProgress.ts'
import type { RequestEvent } from './requestEvent.ts'
import type { Progress, RequestState, StoredRequest } from './requestState.ts'

type PermitEvent = Extract<RequestEvent, { type: `permit${string}` }>

const signed: Progress = { status: 'signed' }

/** Applies an event of a payment by signature to an open request. */
export function withPermitEvent({ state }: StoredRequest, event: PermitEvent): RequestState {
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
export function withSignatures(
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
