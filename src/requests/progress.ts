import type { QuotedRequest } from './quotedRequest.ts'
import {
  type ObservedTransaction,
  type Progress,
  type RequestState,
  transactionOf,
} from './state/requestState.ts'

type Shown = QuotedRequest & Readonly<{ state: RequestState }>

/** The range of steps that ends with one deposit or with the user's own swap. */
export type OwnSteps = Readonly<{ first: number; last: number }>

/** The steps of an input, or all steps if the user swaps without the solver. */
export function ownSteps(request: Shown, input: number): OwnSteps {
  const mains = mainSteps(request)
  const before = mains[input - 1]
  const last = mains[input] ?? request.state.steps.length - 1
  return { first: before === undefined ? 0 : before + 1, last }
}

/** Whether several deposits may fund the request. */
export const isMultiInput = (request: QuotedRequest): boolean =>
  request.execution === 'solver' && request.funding !== undefined

/** Places of the steps that pay: the deposits, or the swap. */
export function mainSteps(request: Shown): readonly number[] {
  if (!isMultiInput(request)) return [request.state.steps.length - 1]
  return request.steps.flatMap(({ id }, at) => (id === 'deposit' ? [at] : []))
}

export const waiting: Progress = { status: 'waiting' }

export const skipped: Progress = { status: 'skipped' }

/** Progress of the main item, the last item of these steps: the deposit or the user's own swap. */
const mainOf = ({ steps }: RequestState, { last }: OwnSteps): Progress =>
  steps[last]?.at(-1) ?? waiting

/** Progress of the deposit for an input. */
export const depositProgress = (request: Parameters<typeof ownSteps>[0], input: number): Progress =>
  mainOf(request.state, ownSteps(request, input))

/** Progress of what the recipient gets: the fill, or the user's own swap. */
export const outputProgress = (
  { execution }: QuotedRequest,
  { fill, steps }: RequestState,
): Progress | undefined => fill ?? (execution === 'user' ? steps.at(-1)?.at(-1) : undefined)

export const hashOf = (progress: Progress | undefined) => transactionOf(progress)?.hash

export const isMain = (state: RequestState, own: OwnSteps, { hash }: ObservedTransaction) =>
  hashOf(mainOf(state, own)) === hash

/** Whether the main item already shows another transaction, which has not failed. */
export function showsOther(
  state: RequestState,
  own: OwnSteps,
  { hash }: ObservedTransaction,
): boolean {
  const main = mainOf(state, own)
  const isOpen = main.status === 'sent' || main.status === 'reverted'
  return hashOf(main) !== undefined && !isOpen && hashOf(main) !== hash
}

export function withItem(state: RequestState, step: number, item: number, progress: Progress) {
  const steps = state.steps.map((items, place) =>
    place === step ? items.map((each, at) => (at === item ? progress : each)) : items,
  )
  return { ...state, steps }
}

/** Sets the main item's progress. A confirmed transaction stays confirmed; only its block may change. */
export function withMain(
  state: RequestState,
  own: OwnSteps,
  status: 'seen' | 'confirmed',
  transaction: ObservedTransaction,
): RequestState {
  const item = (state.steps[own.last]?.length ?? 0) - 1
  const known = mainOf(state, own)
  const isFurther = known.status === 'confirmed' && hashOf(known) === transaction.hash
  return withItem(state, own.last, item, { status: isFurther ? 'confirmed' : status, transaction })
}

const withHash = (hashes: RequestState['inTxHashes'], { hash }: ObservedTransaction) =>
  hashes.includes(hash) ? hashes : [...hashes, hash]

export const withInput = (state: RequestState, transaction: ObservedTransaction): RequestState => ({
  ...state,
  inTxHashes: withHash(state.inTxHashes, transaction),
})

/** Removes all progress by the transaction. */
export function withoutInput(state: RequestState, { hash }: ObservedTransaction): RequestState {
  const isOrphaned = (each: Progress) => hashOf(each) === hash
  return {
    ...state,
    inTxHashes: state.inTxHashes.filter((each) => each !== hash),
    steps: state.steps.map((items) => items.map((each) => (isOrphaned(each) ? waiting : each))),
  }
}

/** Resets `implied` steps: their only evidence was a main transaction that is orphaned. */
export function withoutImplied(state: RequestState, own: OwnSteps): RequestState {
  const unproven = (each: Progress) => (each.status === 'implied' ? waiting : each)
  const steps = state.steps.map((items, step) => (isOwn(own, step) ? items.map(unproven) : items))
  return { ...state, steps }
}

/** Removes the transaction from the main items that show it as only seen. */
export function withoutMain(
  state: RequestState,
  mains: readonly number[],
  { hash }: ObservedTransaction,
): RequestState {
  const isIt = (each: Progress) => each.status === 'seen' && hashOf(each) === hash
  const steps = state.steps.map((items, step) =>
    mains.includes(step) ? items.map((each) => (isIt(each) ? waiting : each)) : items,
  )
  return { ...state, steps }
}

const isOwn = ({ first, last }: OwnSteps, step: number) => first <= step && step <= last

/** Confirms the main transaction and all steps before it, because it depends on them. */
export function withConfirmed(
  state: RequestState,
  own: OwnSteps,
  transaction: ObservedTransaction,
): RequestState {
  const proven = (each: Progress): Progress => {
    const found = transactionOf(each)
    return found === undefined || each.status === 'reverted'
      ? { status: 'implied' }
      : { status: 'confirmed', transaction: found }
  }
  const steps = state.steps.map((items, step) => (isOwn(own, step) ? items.map(proven) : items))
  return withMain({ ...state, steps }, own, 'confirmed', transaction)
}

/** Removes the fill's transaction: the fill is `waiting` again, or `skipped`. */
export function withoutFill(
  state: RequestState,
  expected: typeof waiting | typeof skipped,
): RequestState {
  if (state.fill === undefined) return state
  const txHashes = state.txHashes.filter((each) => each !== hashOf(state.fill))
  return { ...state, fill: expected, txHashes }
}

/** Sets the fill's progress. A `sent` transaction does not replace one that a block contains. */
export function withFill(
  state: RequestState,
  status: 'sent' | 'seen' | 'confirmed',
  transaction: ObservedTransaction,
): RequestState {
  if (status === 'sent' && state.fill?.status === 'seen') return state
  const txHashes = status === 'sent' ? state.txHashes : [transaction.hash]
  return { ...state, fill: { status, transaction }, txHashes }
}

/** The block of the fill was orphaned. The same transaction is sent again. */
export function withFillUndone(
  state: RequestState,
  transaction: ObservedTransaction,
): RequestState {
  if (hashOf(state.fill) !== transaction.hash) return state
  const txHashes = state.txHashes.filter((each) => each !== transaction.hash)
  return { ...state, fill: sentAgain(transaction), txHashes }
}

export const sentAgain = ({ chainId, hash }: ObservedTransaction): Progress => ({
  status: 'sent',
  transaction: { chainId, hash },
})

/** Refunds are due for the funded inputs only. */
export const refundsOf = ({ refunds, inputStates }: RequestState): readonly Progress[] =>
  refunds ?? inputStates.map(({ status }) => (status === 'funded' ? waiting : skipped))

/** Sets a refund's progress, by the same rule as `withFill`. */
export function withRefund(
  state: RequestState,
  status: 'sent' | 'seen' | 'confirmed',
  { input, transaction }: Readonly<{ input: number; transaction: ObservedTransaction }>,
): RequestState {
  if (status === 'sent' && state.refunds?.[input]?.status === 'seen') return state
  return withRefundAt(state, input, { status, transaction })
}

/** `txHashes` are the refunds that blocks contain, without duplicates. */
export function withRefundAt(state: RequestState, input: number, refund: Progress): RequestState {
  const refunds = refundsOf(state).map((each, at) => (at === input ? refund : each))
  const mined = refunds.flatMap((each) =>
    'transaction' in each && each.status !== 'sent' ? [each.transaction.hash] : [],
  )
  return { ...state, refunds, txHashes: [...new Set(mined)] }
}

const distance = {
  skipped: 6,
  implied: 5,
  confirmed: 4,
  seen: 3,
  sent: 2,
  signed: 1,
  reverted: 1,
  waiting: 1,
} as const

/** The refund with the least progress; undefined if none is due. */
export const leastAdvancedRefund = ({ refunds = [] }: RequestState): Progress | undefined =>
  refunds.reduce<Progress | undefined>(
    (least, each) =>
      least === undefined || distance[each.status] < distance[least.status] ? each : least,
    undefined,
  )
