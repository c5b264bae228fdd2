import type { Batch } from '#src/requests/requestStore.ts'
import { advance } from '#src/requests/state/advance.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainId } from '#src/units/chainId.ts'

type Hash = `0x${string}`

/** What is stored of a chain as far as a decision needs it. */
export type Stored = Readonly<{
  deposits: readonly Deposit[]
  requests: readonly StoredRequest[]
  /** Of the solver on this chain. */
  transactions: readonly SolverTransaction[]
  /** On any chain, of the requests whose deposits are gone. */
  payments: readonly SolverTransaction[]
  /** What came of the users' own swaps that are deep enough to count. */
  outcomes: ReadonlyMap<Hash, 'success' | 'reverted'>
}>

/** What is stored with what is to become of it: each part as it is by now, and all changes as a batch. */
export type Draft = Readonly<{
  /** On this chain. */
  deposits: () => readonly Deposit[]
  /** On any. */
  deposit: (depositId: string) => Deposit | undefined
  putDeposit: (deposit: Deposit) => void
  removeDeposit: (depositId: string) => void
  request: (requestId: Hash | undefined) => StoredRequest | undefined
  requests: () => readonly StoredRequest[]
  /** Whether it changed anything. */
  advance: (requestId: Hash | undefined, event: RequestEvent) => boolean
  transactions: () => readonly SolverTransaction[]
  putTransaction: (transaction: SolverTransaction) => void
  batch: () => Batch
}>

/** `at`: milliseconds since 1970. */
export function createDraft(
  stored: Stored,
  { chainId, at }: Readonly<{ chainId: ChainId; at: number }>,
): Draft {
  const deposits = byKey(stored.deposits, ({ depositId }) => depositId)
  const requests = byKey(stored.requests, ({ requestId }) => requestId)
  const transactions = byKey(stored.transactions, ({ transactionId }) => transactionId)
  const changedDeposits = new Set<string>()
  const changedTransactions = new Set<string>()
  const removed = new Map<string, Deposit>()
  /** Each state that a request goes through, in order. */
  const changes: StoredRequest[] = []

  return {
    deposits: () => [...deposits.values()].filter((each) => each.chainId === chainId),
    deposit: (depositId) => deposits.get(depositId),
    putDeposit: (deposit) => {
      deposits.set(deposit.depositId, deposit)
      changedDeposits.add(deposit.depositId)
    },
    removeDeposit: (depositId) => {
      const deposit = deposits.get(depositId)
      deposits.delete(depositId)
      changedDeposits.delete(depositId)
      if (deposit !== undefined && deposit.version > 0) removed.set(depositId, deposit)
    },
    request: (requestId) => (requestId === undefined ? undefined : requests.get(requestId)),
    requests: () => [...requests.values()],
    advance: (requestId, event) => {
      const request = requestId === undefined ? undefined : requests.get(requestId)
      const state = request && advance(request, event, at)
      if (request === undefined || state === undefined || state === request.state) return false
      const changed = { ...request, state }
      requests.set(request.requestId, changed)
      changes.push(changed)
      return true
    },
    transactions: () => [...transactions.values()],
    putTransaction: (transaction) => {
      transactions.set(transaction.transactionId, transaction)
      changedTransactions.add(transaction.transactionId)
    },
    batch: () => ({
      requests: changes,
      deposits: [...deposits.values()].filter(({ depositId }) => changedDeposits.has(depositId)),
      removedDeposits: [...removed.values()].filter(({ depositId }) => !deposits.has(depositId)),
      transactions: [...transactions.values()].filter(({ transactionId }) =>
        changedTransactions.has(transactionId),
      ),
    }),
  }
}

const byKey = <Value>(values: readonly Value[], keyOf: (value: Value) => string) =>
  new Map(values.map((value) => [keyOf(value), value]))

export const isEmptyBatch = ({ requests, deposits, removedDeposits, transactions }: Batch) =>
  [requests, deposits, removedDeposits, transactions].every((each) => (each?.length ?? 0) === 0)
