import type { Hash } from 'viem'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { BlockHash, TxId } from '#src/core/units/txId.ts'
import type { Fence } from './lease.ts'
import type { CountTerms } from './requestList.ts'
import type { Deposit } from './state/deposit.ts'
import type { StoredRequest } from './state/requestState.ts'
import type { SolverTransaction } from './state/solverTransaction.ts'

/** Tracking progress on a chain: all events up to this final block are stored. */
export type Cursor = Readonly<{
  chainId: ChainId
  /** Hash of block 0. It differs between devnets with the same chain id. */
  genesis: BlockHash
  /** On svm chains, `hash` names the last transaction that was read. If it is the genesis, nothing of the slot was read. */
  block: Readonly<{ number: bigint; hash: BlockHash | TxId }>
}>

/** A client's notice of a transaction that the tracker should inspect. */
export type Hint = Readonly<{
  chainId: ChainId
  txHash: TxId
  requestId?: Hash
  /** Name by which the client's hints are counted; absent: the tracker itself left the hint. */
  caller?: string
}>

/** An account, and the currency that it pays with. */
export type Payer = Readonly<{ user: Account; currency: Account }>

/** How far the tracker of each chain has come. */
export type CursorReads = Readonly<{
  cursor: (chainId: ChainId) => Promise<Cursor | undefined>
}>

/** What the tracker of a chain may still have to change. */
export type TrackingReads = Readonly<{
  /** Quote time of the oldest request whose user pays on the chain, Unix milliseconds; undefined if there is none. */
  firstQuotedAt: (chainId: ChainId) => Promise<number | undefined>
  /** Deposits on the chain that are `seen`, have no block, or are in a block above `number`. */
  openDeposits: (chainId: ChainId, number: bigint) => Promise<readonly Deposit[]>
  /** Deposits on the chain with these records, as their ids name them. Reads all deposits of the chain. */
  depositsOfRecords: (chainId: ChainId, records: readonly string[]) => Promise<readonly Deposit[]>
  /** Solver transactions on the chain that are `sent` or `mined`, or in a block above `number`. */
  openTransactions: (chainId: ChainId, number: bigint) => Promise<readonly SolverTransaction[]>
  /**
   * `depositing` multi-input requests with an open input on the chain and a deposit deadline before `now` (Unix
   * seconds).
   */
  overdue: (chainId: ChainId, now: number) => Promise<readonly StoredRequest[]>
}>

/** Requests that end with their users' own swaps. */
export type SwapReads = Readonly<{
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
}>

/** Notices of transactions and payments that tracker and solver should look at. */
export type HintStore = Readonly<{
  addHint: (hint: Hint) => Promise<void>
  /** Removes and returns the chain's hints, oldest first. */
  takeHints: (chainId: ChainId) => Promise<readonly Hint[]>
  /** Asks the chain's solver to check the request's deposit address on that chain, even if it is no longer watched. */
  addSweepHint: (hint: Readonly<{ chainId: ChainId; requestId: Hash }>) => Promise<void>
  /** Removes and returns the request ids of up to `limit` sweep hints of the chain. */
  takeSweepHints: (chainId: ChainId, limit: number) => Promise<readonly Hash[]>
}>

/** For the tracker of a chain. */
export type TrackingStore = CursorReads &
  TrackingReads &
  SwapReads &
  HintStore &
  Readonly<{
    /** Deletes the rows of a chain whose genesis has changed. Its open requests end as `failure`. */
    forgetChain: (chainId: ChainId, fence?: Fence) => Promise<void>
  }>
