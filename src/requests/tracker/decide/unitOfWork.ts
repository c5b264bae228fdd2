import type { Hash } from 'viem'
import type { ChainConfig } from '#src/config/config.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { TxId } from '#src/core/units/txId.ts'
import { advance } from '#src/requests/machine.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { Deposit, DepositPayment } from '#src/requests/state/deposit.ts'
import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import type { ObservedTransaction, StoredRequest } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { FollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import type { ObservedEvents } from '#src/requests/tracker/read/readEvents.ts'
import type { Endings } from './endings.ts'

/** The stored rows of a chain that a decision needs. */
export type Stored = Readonly<{
  deposits: readonly Deposit[]
  requests: readonly StoredRequest[]
  /** The solver's transactions on this chain. */
  transactions: readonly SolverTransaction[]
  /** The solver's transactions, on any chain, for the requests whose deposits were orphaned. */
  payments: readonly SolverTransaction[]
  /** Outcomes of the users' own swaps and of the solver's payments that are confirmed, by transaction hash. */
  outcomes: ReadonlyMap<TxId, Outcome>
}>

/** The outcome of a transaction, by its receipt. */
export type Outcome = Readonly<{
  status: 'success' | 'reverted'
  /** What it paid for requests, by their ids. */
  ofRequests?: ReadonlyMap<Hash, Pick<ObservedTransaction, 'paid' | 'appFees'>>
  /** What it paid out of deposits, by their ids. */
  ofDeposits?: ReadonlyMap<string, readonly DepositPayment[]>
}>

/** The stored rows with all changes applied so far. `batch` returns the changes, to be saved together. */
export type UnitOfWork = Readonly<{
  /** Deposits on this chain. */
  deposits: () => readonly Deposit[]
  /** On any chain. */
  deposit: (depositId: string) => Deposit | undefined
  putDeposit: (deposit: Deposit) => void
  removeDeposit: (depositId: string) => void
  request: (requestId: Hash | undefined) => StoredRequest | undefined
  requests: () => readonly StoredRequest[]
  /** Applies the event; false if it changed nothing. */
  advance: (requestId: Hash | undefined, event: RequestEvent) => boolean
  transactions: () => readonly SolverTransaction[]
  putTransaction: (transaction: SolverTransaction) => void
  batch: () => Batch
}>

/** `at`: Unix time in milliseconds. */
export function createUnitOfWork(
  stored: Stored,
  { chainId, at }: Readonly<{ chainId: ChainId; at: number }>,
): UnitOfWork {
  const deposits = byKey(stored.deposits, ({ depositId }) => depositId)
  const requests = byKey(stored.requests, ({ requestId }) => requestId)
  const transactions = byKey(stored.transactions, ({ transactionId }) => transactionId)
  const changedDeposits = new Set<string>()
  const changedTransactions = new Set<string>()
  const removed = new Map<string, Deposit>()
  /** Every state that the requests pass through, in order. */
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

export type ChainRules = Pick<ChainConfig, 'id' | 'depositConfirmations' | 'fillConfirmations'>

/** The current view of the chain. */
export type ChainState = Readonly<{
  followed: FollowedBlocks
  events: ObservedEvents
  /** Absent on chains where the solver finds them. */
  endings?: Endings
  /** Timestamp of the newest fully processed block, in seconds; undefined if not known yet. */
  processedUntil: number | undefined
}>
