import { advance } from '#src/requests/advance.ts'
import type { Deposit } from '#src/requests/deposit.ts'
import type { RequestEvent } from '#src/requests/requestEvent.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { SolverTransaction } from '#src/requests/solverTransaction.ts'
import type { StoredRequest } from '#src/requests/storedRequest.ts'
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
  /** Has the request count on a deposit, or on none. */
  fund: (requestId: Hash, depositId: string | undefined) => void
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

  const putRequest = (request: StoredRequest) => {
    const { requestId, state } = request
    requests.set(requestId, request)
    const same = changes.findIndex(
      (each) => each.requestId === requestId && each.state.seq === state.seq,
    )
    if (same < 0) changes.push(request)
    else changes[same] = request
  }

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
      const state = request && advance(request.state, event, at)
      if (request === undefined || state === undefined || state === request.state) return false
      putRequest({ ...request, state })
      return true
    },
    fund: (requestId, depositId) => {
      const request = requests.get(requestId)
      if (request === undefined) return
      const { fundingDepositId: _, ...rest } = request
      putRequest(depositId === undefined ? rest : { ...rest, fundingDepositId: depositId })
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
