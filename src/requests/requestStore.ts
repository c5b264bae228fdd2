import type { Hash } from 'viem'
import type { BlockId } from '#src/chains/chainEvent.ts'
import type { SearchStore } from '#src/chains/search/searchStore.ts'
import type { Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Usd } from '#src/core/units/usd.ts'
import type { Fence } from './lease.ts'
import type { RevertedPermit } from './permitBlock.ts'
import type { QuotedRequest } from './quotedRequest.ts'
import type { GasBudget, RelayedCall, RelayedCallStore } from './relayedCall.ts'
import type { RequestFilter, RequestPage } from './requestFilter.ts'
import type { Deposit } from './state/deposit.ts'
import type { RequestChange, StoredRequest } from './state/requestState.ts'
import type { SolverTransaction } from './state/solverTransaction.ts'
import type { StoredPermit } from './storedPermit.ts'
import type { WatchedAddress } from './watchedAddress.ts'

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

type ExposureLimit = Readonly<{
  chainId: ChainId
  maxUsd: Usd
  /** The same for the deposits of each of these payers. */
  payers?: Readonly<{ addresses: readonly Address[]; maxUsd: Usd }>
}>

/** Tracking progress on a chain: all events up to this final block are stored. */
export type Cursor = Readonly<{
  chainId: ChainId
  /** Hash of block 0. It differs between devnets with the same chain id. */
  genesis: Hash
  block: BlockId
}>

/** A client's notice of a transaction that the tracker should inspect. */
export type Hint = Readonly<{
  chainId: ChainId
  txHash: Hash
  requestId?: Hash
  /** Name by which the client's hints are counted; absent: the tracker itself left the hint. */
  caller?: string
}>

/** An account, and the currency that it pays with. */
export type Payer = Readonly<{ user: Address; currency: Address }>

/** An operator accepts transactions of the solver's account that the store does not have. */
type Acceptance = Readonly<{
  chainId: ChainId
  account: Address
  /** Every transaction with a lower nonce is accepted. */
  nonce: number
  /** Unix time in seconds. */
  acceptedAt: number
}>

/** An asset that is neither taken nor paid out on a chain until an operator resumes it. */
export type StoppedAsset = Readonly<{
  chainId: ChainId
  /** Symbol of the asset in the configuration. */
  asset: string
  /** Unix time in milliseconds. */
  stoppedAt: number
  /** For operators. */
  reason: string
}>

/** At most `limit` rows with an id above `after`. */
export type Page = Readonly<{ after?: string; limit: number }>

/** A webhook call that is due for a change. */
export type WebhookDelivery = Readonly<{
  change: RequestChange
  request: StoredRequest
  /** Name of the API key that the webhook belongs to. */
  apiKey: string
  /** Number of failed calls so far. */
  failures: number
}>

/** Whether the database takes writes, as last known. `reason` is a phrase for operators. */
export type StoreHealth = Readonly<{ ok: true }> | Readonly<{ ok: false; reason: string }>

/** `now`: Unix seconds. `limit`: maximum number of rows. */
type CountTerms = Readonly<{ now: number; limit: number }>

/**
 * All requests that were quoted with steps, with their states, deposits and payments. Every method throws
 * StoreUnavailableError if the database fails or the outcome is unknown.
 */
export type RequestStore = Readonly<{
  /** Reads no database. Recovers by itself once the database takes writes again. */
  health: () => StoreHealth
  /** Resolves once the request is committed: it then survives a power failure. */
  put: (request: QuotedRequest) => Promise<void>
  /** Number of the quota's requests that still wait and are not expired at `now` (Unix seconds), at most `limit`. */
  countOpenQuotes: (quota: string, terms: CountTerms) => Promise<number>
  /**
   * Deletes up to `limit` unpaid quotes with a deadline before `before` (Unix seconds), the oldest first. Returns their
   * number.
   */
  deleteUnpaid: (before: number, limit: number, fence?: Fence) => Promise<number>
  find: (requestId: string) => Promise<StoredRequest | undefined>
  /** The requests that exist, in no particular order. */
  findAll: (requestIds: readonly string[]) => Promise<readonly StoredRequest[]>
  findByOrders: (orderIds: readonly string[]) => Promise<readonly StoredRequest[]>
  /** A page may have fewer requests than asked for, although there are more: it then has a cursor to go on. */
  list: (filter: RequestFilter) => Promise<RequestPage>
  /**
   * At most `limit` destination currencies of successful requests that were quoted at `since` (Unix ms) or later. The
   * order is by the number of requests or by their value in US dollars, the highest first.
   */
  boughtSince: (
    since: number,
    order: 'count' | 'usd',
    limit: number,
  ) => Promise<readonly Readonly<{ chainId: ChainId; address: Address }>[]>
  /** Number of the matching ones among the first `limit` requests that the filter's indexes give, on all pages. */
  count: (filter: RequestFilter, limit: number) => Promise<number>
  /** Changes after `seq`, in order; empty for an unknown request. The quote itself, seq 0, is not a change. */
  changesAfter: (requestId: string, seq: number) => Promise<readonly RequestChange[]>
  /** The current `seq` of each request that exists. */
  seqsOf: (requestIds: readonly string[]) => Promise<ReadonlyMap<string, number>>

  /** `conflict`: a row has changed since it was read, and nothing is saved. Read and decide again. */
  save: (batch: Batch) => Promise<'saved' | 'conflict'>

  // For the tracker of a chain.
  cursor: (chainId: ChainId) => Promise<Cursor | undefined>
  /** Quote time of the oldest request whose user pays on the chain, Unix milliseconds; undefined if there is none. */
  firstQuotedAt: (chainId: ChainId) => Promise<number | undefined>
  /** Deposits on the chain that are `seen`, have no block, or are in a block above `number`. */
  openDeposits: (chainId: ChainId, number: bigint) => Promise<readonly Deposit[]>
  depositsOf: (requestId: string) => Promise<readonly Deposit[]>
  depositsOfAll: (requestIds: readonly string[]) => Promise<readonly Deposit[]>
  findDeposits: (depositIds: readonly string[]) => Promise<readonly Deposit[]>
  /** Solver transactions on the chain that are `sent` or `mined`, or in a block above `number`. */
  openTransactions: (chainId: ChainId, number: bigint) => Promise<readonly SolverTransaction[]>
  /** Requests on the chain whose user's own swap was seen but is not confirmed yet. */
  pendingSwaps: (chainId: ChainId) => Promise<readonly StoredRequest[]>
  /**
   * The payers among `payers` with a request on the chain that awaits their own swap and is not expired at `now` (Unix
   * seconds). The cost is independent of the number of their requests, as anybody can quote in any user's name.
   */
  awaitedPayers: (
    chainId: ChainId,
    payers: readonly Payer[],
    now: number,
  ) => Promise<readonly Payer[]>
  /**
   * The payers of requests on the chain that await their own swap and are not expired at `now` (Unix seconds), each once;
   * undefined if there are more than `limit` such requests. Only the quotas limit their number.
   */
  allAwaitedPayers: (chainId: ChainId, terms: CountTerms) => Promise<readonly Payer[] | undefined>
  /** The `limit` newest of the payer's requests that await their own swap and are not expired at `now` (Unix seconds). */
  waitingSwaps: (
    chainId: ChainId,
    payer: Payer,
    terms: CountTerms,
  ) => Promise<readonly StoredRequest[]>
  /**
   * `depositing` multi-input requests with an open input on the chain and a deposit deadline before `now` (Unix
   * seconds).
   */
  overdue: (chainId: ChainId, now: number) => Promise<readonly StoredRequest[]>
  /** Deletes the rows of a chain whose genesis has changed. Its open requests end as `failure`. */
  forgetChain: (chainId: ChainId, fence?: Fence) => Promise<void>

  addHint: (hint: Hint) => Promise<void>
  /** Removes and returns the chain's hints, oldest first. */
  takeHints: (chainId: ChainId) => Promise<readonly Hint[]>

  // For the solver of a chain.
  /**
   * `pending` requests that pay out on the chain and have no refund due, by their id. If `incomplete`, those with an
   * incomplete deposit or a quote that awaits liquidity; if not, all others.
   */
  fillable: (
    destinationChainId: ChainId,
    incomplete: boolean,
    page: Page,
  ) => Promise<readonly StoredRequest[]>
  /** `refundable` deposits on the chain whose refund is due at `now` (Unix ms), by their id. */
  refundable: (chainId: ChainId, now: number, page: Page) => Promise<readonly Deposit[]>
  /** Deposits of the chain that are filled, or whose fill was sent, and that are not settled: their sum by currency. */
  unsettledAmounts: (chainId: ChainId) => Promise<ReadonlyMap<Address, Amount>>
  /** Total value of the chain's deposits with `exposure`. */
  exposureUsd: (chainId: ChainId) => Promise<Usd>
  /** The same of each payer. */
  exposureByPayer: (chainId: ChainId) => Promise<ReadonlyMap<Address, Usd>>
  /** The first `limit` deposits on the chain with `exposure`, by its height. */
  exposedDeposits: (chainId: ChainId, limit: number) => Promise<readonly Deposit[]>
  /** The signatures for the request. */
  findPermit: (requestId: string) => Promise<StoredPermit | undefined>
  /**
   * Paying permits of the relayer on the chain that are due at `now` (Unix ms). Those that were looked at least often
   * come first, and of these the newest: old ones without money delay no new one.
   */
  duePermits: (
    args: Readonly<{ chainId: ChainId; relayer: Address; now: number; limit: number }>,
  ) => Promise<readonly StoredPermit[]>
  /** Transactions of permits that were sent on the chain since `since` (Unix ms) and have reverted, the newest first. */
  revertedPermits: (chainId: ChainId, since: number) => Promise<readonly RevertedPermit[]>
  /** Transactions of permits of each payer that took effect on the chain, for requests quoted since `since` (Unix ms). */
  countPaidPermits: (
    chainId: ChainId,
    payers: readonly Address[],
    since: number,
  ) => Promise<ReadonlyMap<Address, number>>
  /** Deletes the signatures of requests that have ended. */
  removePermits: (requestIds: readonly string[]) => Promise<void>
  /** `filled` deposits on the chain that no settlement includes yet. */
  unsettled: (chainId: ChainId) => Promise<readonly Deposit[]>
  /**
   * Deposits in a block of the chain that fund a request or a fill and are not settled (`credited`, `filled` or `settling`),
   * and that their depositors can take back before `before` (Unix seconds).
   */
  nearExit: (chainId: ChainId, before: number) => Promise<readonly Deposit[]>
  transactionsOf: (requestId: string) => Promise<readonly SolverTransaction[]>
  transactionsOfAll: (requestIds: readonly string[]) => Promise<readonly SolverTransaction[]>
  /**
   * One above the highest nonce of the stored transactions and of those that an operator has accepted; 0 if there are
   * none.
   */
  nextNonce: (chainId: ChainId, account: Address) => Promise<number>
  /** The highest nonce that an operator has accepted, or 0: all transactions below it are accepted. */
  acceptedNonce: (chainId: ChainId, account: Address) => Promise<number>
  /** Accepts all transactions below a nonce that the store does not have. Never lowers the accepted nonce. */
  acceptNonce: (acceptance: Acceptance) => Promise<void>

  /** Stops an asset on a chain. False if it is stopped already. */
  stopAsset: (stop: StoppedAsset) => Promise<boolean>
  /** The stopped assets of a chain, or of all chains. */
  stoppedAssets: (chainId?: ChainId) => Promise<readonly StoppedAsset[]>
  /** Resumes an asset on a chain. False if it is not stopped there. */
  resumeAsset: (chainId: ChainId, asset: string) => Promise<boolean>

  // For the deposit addresses.
  /** Addresses of the chain that are watched at `now` (Unix seconds), by the id of their request. */
  watchedAddresses: (
    chainId: ChainId,
    now: number,
    page: Page,
  ) => Promise<readonly WatchedAddress[]>
  /** Total that sponsors pay for the payments to an open address that were not refunded and have not failed. */
  subsidizedUsd: (parentId: string) => Promise<Usd>
  /** The deposit addresses of the requests. Requests without one are left out. */
  findAddresses: (requestIds: readonly string[]) => Promise<readonly WatchedAddress[]>
  /**
   * Number of watched addresses that still wait and are not expired at `now` (Unix seconds), at most `limit`: those of a
   * quota, or of all quotas of a network, whose name is the beginning of theirs.
   */
  countLiveAddresses: RequestStore['countOpenQuotes']
  /** Number of addresses that are watched at `now` (Unix seconds) on all chains, at most `limit`. */
  countWatchedAddresses: (of: 'keys' | 'networks', terms: CountTerms) => Promise<number>
  /**
   * Stops watching up to `limit` addresses that were quoted before `before` (Unix ms) and never paid: of the keys or
   * widest networks with the most unpaid ones, the oldest first. The last one of each must be from before `lastBefore`.
   * Returns their number.
   */
  evictUnpaidAddresses: (
    of: 'keys' | 'networks',
    terms: Readonly<{ now: number; before: number; lastBefore: number; limit: number }>,
  ) => Promise<number>
  /** Asks the chain's solver to check the request's deposit address on that chain, even if it is no longer watched. */
  addSweepHint: (hint: Readonly<{ chainId: ChainId; requestId: Hash }>) => Promise<void>
  /** Removes and returns the request ids of up to `limit` sweep hints of the chain. */
  takeSweepHints: (chainId: ChainId, limit: number) => Promise<readonly Hash[]>

  /**
   * `seen` deposits on the chain in blocks up to `height` that pay an open deposit address of an order on this chain,
   * without those of `except`. First the largest of each address, then the second of each, and so on.
   */
  openPayments: (
    chainId: ChainId,
    height: bigint,
    terms: Readonly<{ except: readonly string[]; limit: number }>,
  ) => Promise<readonly Deposit[]>

  // For the webhooks.
  /**
   * Claims up to `limit` calls of `apiKey` that are due at `now` (Unix ms), until `now + leaseMs`. Per request only
   * the oldest call can be claimed.
   */
  claimWebhooks: (
    args: Readonly<{ apiKey: string; now: number; leaseMs: number; limit: number }>,
    fence?: Fence,
  ) => Promise<readonly WebhookDelivery[]>
  /** `done`: the call succeeded or is given up. Else it is due again at `dueAt` (Unix ms), with one more failure. */
  recordWebhookOutcome: (
    delivery: WebhookDelivery,
    outcome: 'done' | Readonly<{ dueAt: number }>,
    fence?: Fence,
  ) => Promise<void>

  // For the requests that another service executes.
  /**
   * Claims up to `limit` of them whose status check is due at `now` (Unix ms), until `until`, the longest overdue
   * first.
   */
  claimUpstream: (
    args: Readonly<{ now: number; until: number; limit: number }>,
  ) => Promise<readonly StoredRequest[]>
  /**
   * Ends a claim: the next check is due at `dueAt` (Unix ms), or never. A `dueAt` does not replace a time that
   * `hastenUpstream` has set since the claim.
   */
  scheduleUpstream: (
    requestId: string,
    claim: Readonly<{ until: number; dueAt: number | undefined }>,
  ) => Promise<void>
  /** Makes the status check due at once. Ignores requests that have ended or that no other service executes. */
  hastenUpstream: (requestId: string, now: number) => Promise<void>

  /** The reads that callers of the APIs wait for. They delay nothing else, and fail if they take too long. */
  callers: CallerReads

  /** Stores all requests that were put, then closes the database. Safe to call twice. */
  close: () => Promise<void>
}> &
  RelayedCallStore &
  SearchStore

type CallerReads = Pick<
  RequestStore,
  | 'find'
  | 'findAll'
  | 'findByOrders'
  | 'list'
  | 'count'
  | 'boughtSince'
  | 'changesAfter'
  | 'seqsOf'
  | 'depositsOfAll'
  | 'transactionsOfAll'
>

/** Cursor of a request in the list of requests. Used as `after`, it selects the requests quoted before it. */
export const requestCursor = ({
  createdAt,
  requestId,
}: Pick<QuotedRequest, 'createdAt' | 'requestId'>): string => `${createdAt}-${requestId}`

const cursorParts = /^([0-9]{1,16})-(0x[0-9a-f]{64})$/

/** The time and the id of a cursor; undefined if `text` is not a cursor. */
export function parseRequestCursor(text: string): readonly [time: string, id: string] | undefined {
  const [, time, id] = cursorParts.exec(text) ?? []
  return time === undefined || id === undefined ? undefined : [time, id]
}
