import type { BlockId } from '#src/chains/trail.ts'
import { AppError } from '#src/errors.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { QuotedRequest } from './quotedRequest.ts'
import type { Deposit } from './state/deposit.ts'
import type { RequestChange, StoredRequest } from './state/requestState.ts'
import type { SolverTransaction } from './state/solverTransaction.ts'
import type { RequestStatus } from './status/requestStatus.ts'

type Hash = `0x${string}`

/**
 * What is saved together or not at all. Each entity is given as it is to be, with the `version` that
 * it was read with (0: it is new); it is stored with the next one.
 */
export type Batch = Readonly<{
  /** A state whose `seq` is new is stored as a change as well, and published once it is committed. */
  requests?: readonly StoredRequest[]
  deposits?: readonly Deposit[]
  /** Deposits that a reorg undid before anything was made of them. */
  removedDeposits?: readonly Deposit[]
  transactions?: readonly SolverTransaction[]
  cursor?: Cursor
}>

/** How far a chain was tracked: what lies at or below this final block is stored. */
export type Cursor = Readonly<{
  chainId: ChainId
  /** Of block 0: tells one devnet from the next. */
  genesis: Hash
  block: BlockId
}>

/** That somebody says to look at a transaction. */
export type Hint = Readonly<{ chainId: ChainId; txHash: Hash; requestId?: Hash }>

/** Newest first. */
export type RequestPage = Readonly<{
  requests: readonly StoredRequest[]
  /** What gets the next page; undefined on the last. */
  next?: string
}>

export type RequestFilter = Readonly<{
  /** Absent: any. */
  user?: Address
  statuses?: readonly RequestStatus[]
  /** 1 to 100. */
  first: number
  /** What the page before gave as `next`. */
  after?: string
}>

/** A webhook to be called for a change. */
export type WebhookDelivery = Readonly<{
  change: RequestChange
  request: StoredRequest
  /** Name of the API key whose webhook it is. */
  apiKey: string
  /** Calls that failed so far. */
  failures: number
}>

/**
 * Every request that was quoted with steps, and what became of it. All of it throws
 * StoreUnavailableError when the database fails, or cannot be known to have done what was asked.
 */
export type RequestStore = Readonly<{
  /** Resolves once the request is committed. */
  put: (request: QuotedRequest) => Promise<void>
  find: (requestId: string) => Promise<StoredRequest | undefined>
  /** Those that are there, in no order. */
  findAll: (requestIds: readonly string[]) => Promise<readonly StoredRequest[]>
  findByOrders: (orderIds: readonly string[]) => Promise<readonly StoredRequest[]>
  list: (filter: RequestFilter) => Promise<RequestPage>
  /** In order; empty for one that is not there. The quote as it was stored, seq 0, is no change. */
  changesAfter: (requestId: string, seq: number) => Promise<readonly RequestChange[]>
  /** The present `seq` of each that is there. */
  seqsOf: (requestIds: readonly string[]) => Promise<ReadonlyMap<string, number>>

  /** `conflict`: something has moved on since it was read, and nothing is saved. Read again, and decide again. */
  save: (batch: Batch) => Promise<'saved' | 'conflict'>

  /** For the tracker of a chain. */
  cursor: (chainId: ChainId) => Promise<Cursor | undefined>
  /** Deposits on the chain that a reorg may still undo: `seen`, or in a block above `number`. */
  openDeposits: (chainId: ChainId, number: bigint) => Promise<readonly Deposit[]>
  depositsOf: (requestId: string) => Promise<readonly Deposit[]>
  findDeposits: (depositIds: readonly string[]) => Promise<readonly Deposit[]>
  /** Transactions of the solver on the chain that are `sent` or `mined`, or in a block above `number`. */
  openTransactions: (chainId: ChainId, number: bigint) => Promise<readonly SolverTransaction[]>
  /** Requests of users who swap alone on the chain: seen but not confirmed yet. */
  pendingSwaps: (chainId: ChainId) => Promise<readonly StoredRequest[]>
  /** Such requests of these users of which nothing was seen yet, and which are not expired at `now` (seconds). */
  waitingSwaps: (
    chainId: ChainId,
    users: readonly Address[],
    now: number,
  ) => Promise<readonly StoredRequest[]>
  /** Gathering requests of which something was seen, with an input on the chain that is open although its time was up before `now` (seconds). */
  overdue: (chainId: ChainId, now: number) => Promise<readonly StoredRequest[]>
  /** Forgets what is known of a chain that is another one now: open requests on it end as `failure`. */
  forgetChain: (chainId: ChainId) => Promise<void>

  addHint: (hint: Hint) => Promise<void>
  /** Takes the chain's hints away, oldest first. */
  takeHints: (chainId: ChainId) => Promise<readonly Hint[]>

  /** For the solver of a chain: `pending` requests that pay out there, without a refund due. */
  fillable: (destinationChainId: ChainId) => Promise<readonly StoredRequest[]>
  refundable: (chainId: ChainId) => Promise<readonly Deposit[]>
  /** `filled` deposits on the chain that no settlement has taken up yet. */
  unsettled: (chainId: ChainId) => Promise<readonly Deposit[]>
  transactionsOf: (requestId: string) => Promise<readonly SolverTransaction[]>
  /** The highest that is stored. */
  lastNonce: (chainId: ChainId, account: Address) => Promise<number | undefined>

  /** Those of `apiKey` due at `now` (ms), each claimed until `now + leaseMs`; of one request the oldest alone. */
  claimWebhooks: (
    args: Readonly<{ apiKey: string; now: number; leaseMs: number; most: number }>,
  ) => Promise<readonly WebhookDelivery[]>
  /** Delivered or given up; or due again at `dueAt` (ms) after one more failure. */
  settleWebhook: (
    delivery: WebhookDelivery,
    outcome: 'done' | Readonly<{ dueAt: number }>,
  ) => Promise<void>

  /** Stores what was put before, then lets the database go. Safe to call twice. */
  close: () => Promise<void>
}>

/** Names a request's place in history: the `after` of those that were quoted before it. */
export const requestCursor = ({
  createdAt,
  requestId,
}: Pick<QuotedRequest, 'createdAt' | 'requestId'>): string => `${createdAt}-${requestId}`

/** Nothing that was quoted here with steps has this id. */
export class UnknownRequestError extends AppError {
  constructor(requestId: string) {
    super('UNKNOWN_REQUEST', `No request is ${requestId}`)
  }
}
