import {
  type Progress,
  type RequestState,
  type TransactionSighting,
  transactionOf,
} from './requestState.ts'

export const waiting: Progress = { status: 'waiting' }

export const skipped: Progress = { status: 'skipped' }

/** Of the last step's last item: the deposit, or the user's own swap. */
const mainOf = ({ steps }: RequestState): Progress => steps.at(-1)?.at(-1) ?? waiting

export const hashOf = (progress: Progress | undefined) => transactionOf(progress)?.hash

export const isMain = (state: RequestState, { hash }: TransactionSighting) =>
  hashOf(mainOf(state)) === hash

/** Whether the main item already shows another transaction, or this one as further than seen. */
export function showsOther(state: RequestState, { hash }: TransactionSighting): boolean {
  const main = mainOf(state)
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
  status: 'seen' | 'confirmed',
  transaction: TransactionSighting,
): RequestState {
  const last = state.steps.length - 1
  const item = (state.steps[last]?.length ?? 0) - 1
  const known = mainOf(state)
  const isFurther = known.status === 'confirmed' && hashOf(known) === transaction.hash
  return withItem(state, last, item, { status: isFurther ? 'confirmed' : status, transaction })
}

const withHash = (hashes: RequestState['inTxHashes'], { hash }: TransactionSighting) =>
  hashes.includes(hash) ? hashes : [...hashes, hash]

export const withInput = (state: RequestState, transaction: TransactionSighting): RequestState => ({
  ...state,
  inTxHashes: withHash(state.inTxHashes, transaction),
})

/** Takes back all that the transaction has shown, and what it proved where it is the main one. */
export function withoutInput(state: RequestState, transaction: TransactionSighting): RequestState {
  const { hash } = transaction
  const proves = isMain(state, transaction)
  const isGone = (each: Progress) => hashOf(each) === hash || (proves && each.status === 'implied')
  return {
    ...state,
    inTxHashes: state.inTxHashes.filter((each) => each !== hash),
    steps: state.steps.map((items) => items.map((each) => (isGone(each) ? waiting : each))),
  }
}

/** The main transaction counts, and so do all before it: it could not have been made without them. */
export function withConfirmed(state: RequestState, transaction: TransactionSighting): RequestState {
  const steps = state.steps.map((items) =>
    items.map((each): Progress => {
      const own = transactionOf(each)
      return own === undefined ? { status: 'implied' } : { status: 'confirmed', transaction: own }
    }),
  )
  return withMain({ ...state, steps }, 'confirmed', transaction)
}
