import { type OwnSteps, ownSteps } from '#src/requests/state/ownSteps.ts'
import {
  type Progress,
  type RequestState,
  type TransactionSighting,
  transactionOf,
} from '#src/requests/state/requestState.ts'

export const waiting: Progress = { status: 'waiting' }

export const skipped: Progress = { status: 'skipped' }

/** Of the last item of its own steps: the deposit, or the user's own swap. */
const mainOf = ({ steps }: RequestState, { last }: OwnSteps): Progress =>
  steps[last]?.at(-1) ?? waiting

/** How far the deposit for an input has come. */
export const depositProgress = (request: Parameters<typeof ownSteps>[0], input: number): Progress =>
  mainOf(request.state, ownSteps(request, input))

export const hashOf = (progress: Progress | undefined) => transactionOf(progress)?.hash

export const isMain = (state: RequestState, own: OwnSteps, { hash }: TransactionSighting) =>
  hashOf(mainOf(state, own)) === hash

/** Whether the main item already shows another transaction, or this one as further than seen. */
export function showsOther(
  state: RequestState,
  own: OwnSteps,
  { hash }: TransactionSighting,
): boolean {
  const main = mainOf(state, own)
  return hashOf(main) !== undefined && main.status !== 'sent' && hashOf(main) !== hash
}

export function withItem(state: RequestState, step: number, item: number, progress: Progress) {
  const steps = state.steps.map((items, place) =>
    place === step ? items.map((each, at) => (at === item ? progress : each)) : items,
  )
  return { ...state, steps }
}

/** What has come further stays so, and only its place in the chain may change. */
export function withMain(
  state: RequestState,
  own: OwnSteps,
  status: 'seen' | 'confirmed',
  transaction: TransactionSighting,
): RequestState {
  const item = (state.steps[own.last]?.length ?? 0) - 1
  const known = mainOf(state, own)
  const isFurther = known.status === 'confirmed' && hashOf(known) === transaction.hash
  return withItem(state, own.last, item, { status: isFurther ? 'confirmed' : status, transaction })
}

const withHash = (hashes: RequestState['inTxHashes'], { hash }: TransactionSighting) =>
  hashes.includes(hash) ? hashes : [...hashes, hash]

export const withInput = (state: RequestState, transaction: TransactionSighting): RequestState => ({
  ...state,
  inTxHashes: withHash(state.inTxHashes, transaction),
})

/** Takes back all that the transaction has shown. */
export function withoutInput(state: RequestState, { hash }: TransactionSighting): RequestState {
  const isGone = (each: Progress) => hashOf(each) === hash
  return {
    ...state,
    inTxHashes: state.inTxHashes.filter((each) => each !== hash),
    steps: state.steps.map((items) => items.map((each) => (isGone(each) ? waiting : each))),
  }
}

/** Takes back what only a main transaction that is gone has proved. */
export function withoutImplied(state: RequestState, own: OwnSteps): RequestState {
  const unproven = (each: Progress) => (each.status === 'implied' ? waiting : each)
  const steps = state.steps.map((items, step) => (isOwn(own, step) ? items.map(unproven) : items))
  return { ...state, steps }
}

/** Takes the transaction away where it is shown as a main one that does not count. */
export function withoutMain(
  state: RequestState,
  mains: readonly number[],
  { hash }: TransactionSighting,
): RequestState {
  const isIt = (each: Progress) => each.status === 'seen' && hashOf(each) === hash
  const steps = state.steps.map((items, step) =>
    mains.includes(step) ? items.map((each) => (isIt(each) ? waiting : each)) : items,
  )
  return { ...state, steps }
}

const isOwn = ({ first, last }: OwnSteps, step: number) => first <= step && step <= last

/** The main transaction counts, and so do all before it: it could not have been made without them. */
export function withConfirmed(
  state: RequestState,
  own: OwnSteps,
  transaction: TransactionSighting,
): RequestState {
  const proven = (each: Progress): Progress => {
    const found = transactionOf(each)
    return found === undefined ? { status: 'implied' } : { status: 'confirmed', transaction: found }
  }
  const steps = state.steps.map((items, step) => (isOwn(own, step) ? items.map(proven) : items))
  return withMain({ ...state, steps }, own, 'confirmed', transaction)
}

const distance = { skipped: 6, implied: 5, confirmed: 4, seen: 3, sent: 2, waiting: 1 } as const

/** The payment back, or of several the one that has come least far; undefined unless one is due. */
export const shownRefund = ({ refunds = [] }: RequestState): Progress | undefined =>
  refunds.reduce<Progress | undefined>(
    (least, each) =>
      least === undefined || distance[each.status] < distance[least.status] ? each : least,
    undefined,
  )
