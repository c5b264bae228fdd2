import type { SearchStore } from '#src/chains/search/searchStore.ts'
import { AppError } from '#src/core/errors.ts'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Usd } from '#src/core/units/usd.ts'
import type { AddressStore } from './addressStore.ts'
import type { UpstreamStore, WebhookStore } from './claimedWork.ts'
import { type Fence, type Lease, LeaseLostError } from './lease.ts'
import type { PayoutStore } from './payoutStore.ts'
import type { PermitStore, StoredPermit } from './permitStore.ts'
import type { QuotedRequest } from './quotedRequest.ts'
import type { GasBudget, RelayedCall, RelayedCallStore } from './relayedCall.ts'
import type { CountTerms, RequestLists } from './requestList.ts'
import type { BookReads, BookStore } from './state/books.ts'
import type { Deposit } from './state/deposit.ts'
import type { RequestChange, StoredRequest } from './state/requestState.ts'
import type { Booking, SolverTransaction } from './state/solverTransaction.ts'
import type { Cursor, TrackingStore } from './trackingStore.ts'

/**
 * Rows that are saved in one transaction. Each row carries its new values and the `version` it was read with (0 if it
 * is new). It is stored with the next version.
 */
export type Batch = Readonly<{
  /** Requests to insert first: `conflict` if one is stored already. */
  created?: readonly QuotedRequest[]
  /** A state with a new `seq` is also stored as a change, and published once it is committed. */
  requests?: readonly StoredRequest[]
  deposits?: readonly Deposit[]
  /** Deposits in orphaned blocks that no payment draws on. */
  removedDeposits?: readonly Deposit[]
  transactions?: readonly SolverTransaction[]
  /** Transactions that are booked now. They are saved as others, and added to the sums of their days. */
  booked?: readonly BookedTransaction[]
  permits?: readonly StoredPermit[]
  relayedCalls?: readonly RelayedCall[]
  /** A `conflict` if an API key would be charged more, the calls of this batch included. */
  gasBudgets?: readonly GasBudget[]
  cursor?: Cursor
  /** A `conflict` if the deposits with `exposure` on a chain would be worth more in all, those of this batch included. */
  exposureLimits?: readonly ExposureLimit[]
  /** Nothing is saved, and LeaseLostError thrown, if this term of a leader is over. */
  fence?: Fence
}>

export type BookedTransaction = SolverTransaction & Readonly<{ booked: Booking }>

type ExposureLimit = Readonly<{
  chainId: ChainId
  maxUsd: Usd
  /** The same for the deposits of each of these payers. */
  payers?: Readonly<{ addresses: readonly Account[]; maxUsd: Usd }>
}>

/** Whether the database takes writes, as last known. `reason` is a phrase for operators. */
export type StoreHealth = Readonly<{ ok: true }> | Readonly<{ ok: false; reason: string }>

export type BatchStore = Readonly<{
  /** `conflict`: a row has changed since it was read, and nothing is saved. Read and decide again. */
  save: (batch: Batch) => Promise<'saved' | 'conflict'>
}>

/** Quotes, until they are paid. */
export type QuoteStore = Readonly<{
  /** Resolves once the request is committed: it then survives a power failure. */
  put: (request: QuotedRequest) => Promise<void>
  /** Number of the quota's requests that still wait and are not expired at `now` (Unix seconds), at most `limit`. */
  countOpenQuotes: (quota: string, terms: CountTerms) => Promise<number>
  /**
   * Deletes up to `limit` unpaid quotes with a deadline before `before` (Unix seconds), the oldest first. Returns their
   * number.
   */
  deleteUnpaid: (before: number, limit: number, fence?: Fence) => Promise<number>
}>

export type RequestReads = Readonly<{
  find: (requestId: string) => Promise<StoredRequest | undefined>
  /** The requests that exist, in no particular order. */
  findAll: (requestIds: readonly string[]) => Promise<readonly StoredRequest[]>
  findByOrders: (orderIds: readonly string[]) => Promise<readonly StoredRequest[]>
}>

export type ChangeReads = Readonly<{
  /** Changes after `seq`, in order; empty for an unknown request. The quote itself, seq 0, is not a change. */
  changesAfter: (requestId: string, seq: number) => Promise<readonly RequestChange[]>
  /** The current `seq` of each request that exists. */
  seqsOf: (requestIds: readonly string[]) => Promise<ReadonlyMap<string, number>>
}>

/** Deposits and transactions by their id or request. */
export type PaymentReads = Readonly<{
  depositsOf: (requestId: string) => Promise<readonly Deposit[]>
  depositsOfAll: (requestIds: readonly string[]) => Promise<readonly Deposit[]>
  findDeposits: (depositIds: readonly string[]) => Promise<readonly Deposit[]>
  transactionsOf: (requestId: string) => Promise<readonly SolverTransaction[]>
  transactionsOfAll: (requestIds: readonly string[]) => Promise<readonly SolverTransaction[]>
}>

/** The reads that callers of the APIs wait for. They delay nothing else, and fail if they take too long. */
export type CallerReads = RequestReads & ChangeReads & RequestLists & PaymentReads & BookReads

type HealthStore = Readonly<{
  /** Reads no database. Recovers by itself once the database takes writes again. */
  health: () => StoreHealth
}>

/**
 * All requests that were quoted with steps, with their states, deposits and payments. Every method throws
 * StoreUnavailableError if the database fails or the outcome is unknown. A part takes only the ports that it uses.
 */
export type RequestStore = HealthStore &
  BatchStore &
  QuoteStore &
  CallerReads &
  TrackingStore &
  PayoutStore &
  AddressStore &
  PermitStore &
  RelayedCallStore &
  BookStore &
  WebhookStore &
  UpstreamStore &
  SearchStore &
  Readonly<{
    /** The same reads on connections of their own. */
    callers: CallerReads
    /** Stores all requests that were put, then closes the database. Safe to call twice. */
    close: () => Promise<void>
  }>

/** No request with this id was quoted with steps. */
export class UnknownRequestError extends AppError {
  constructor(requestId: string) {
    super('UNKNOWN_REQUEST', `Unknown request ${requestId}`)
  }
}

/** The store for the holder of a lease. It refuses the holder's writes once the lease is lost. */
export function fencedStore(store: RequestStore, lease: Lease): RequestStore {
  async function guarded<Value>(run: (fence: Fence | undefined) => Promise<Value>): Promise<Value> {
    try {
      return await run(lease.fence())
    } catch (error) {
      if (error instanceof LeaseLostError) lease.lose()
      throw error
    }
  }

  return {
    ...store,
    save: (batch) => guarded((fence) => store.save(fence ? { ...batch, fence } : batch)),
    forgetChain: (chainId) => guarded((fence) => store.forgetChain(chainId, fence)),
    deleteUnpaid: (before, limit) => guarded((fence) => store.deleteUnpaid(before, limit, fence)),
    claimWebhooks: (args) => guarded((fence) => store.claimWebhooks(args, fence)),
    recordWebhookOutcome: (delivery, outcome) =>
      guarded((fence) => store.recordWebhookOutcome(delivery, outcome, fence)),
    // Taken hints are deleted, so that the next leader could not read them.
    takeHints: (chainId) => guarded(() => store.takeHints(chainId)),
    takeSweepHints: (...args) => guarded(() => store.takeSweepHints(...args)),
  }
}
