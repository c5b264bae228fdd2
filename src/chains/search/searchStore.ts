import type { Hash, Hex } from 'viem'
import type { BlockId } from '#src/chains/chainEvent.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

/** A search for all logs of one event of one contract. Another chain under the same id has another block 0. */
export type LogSearch = Readonly<{
  chainId: ChainId
  /** Hash of block 0. */
  genesis: Hash
  address: Address
  /** The first topic. */
  topic: Hash
}>

/** Progress of a search. */
export type SearchState = Readonly<{
  /** The first block of the search. */
  first: bigint
  /** All blocks from `first` to the one before `next` are searched. */
  next: bigint
  /**
   * A searched block, by which a later search checks that the nodes still serve the same chain. Undefined before the
   * first.
   */
  anchor: BlockId | undefined
  /** The learnt number of blocks that nodes answer in one request. */
  span: bigint
  /** Number of found logs. */
  found: number
}>

/** A log that a search found. */
export type FoundLog = LogPlace & Readonly<{ topics: readonly Hex[]; data: Hex }>

/** Position of a log in its chain. */
export type LogPlace = Readonly<{ blockNumber: bigint; logIndex: number }>

/** Stores searches for all processes of a database. Every method throws an AppError if the database fails. */
export type SearchStore = Readonly<{
  findSearch: (search: LogSearch) => Promise<SearchState | undefined>
  /** Stores a new search, unless it is stored already. */
  beginSearch: (search: LogSearch, state: SearchState) => Promise<void>
  /**
   * Stores the logs of the blocks from `after` to the one before `state.next`, and the state. Returns false and stores
   * nothing unless `next` of the stored search is exactly `after`.
   */
  advanceSearch: (
    search: LogSearch,
    progress: Readonly<{ after: bigint; state: SearchState; logs: readonly FoundLog[] }>,
  ) => Promise<boolean>
  /** The first `limit` logs above `after`, in block order. */
  foundLogs: (
    search: LogSearch,
    page: Readonly<{ after?: LogPlace | undefined; limit: number }>,
  ) => Promise<readonly FoundLog[]>
  /** Deletes a search and its logs. */
  forgetSearch: (search: LogSearch) => Promise<void>
}> &
  SearchLeases

export type SearchLeases = Readonly<{
  /** Acquires or extends the lease of `holder` on the duty. Undefined while another holder has it. */
  acquireLease: (
    request: Readonly<{ duty: string; holder: string; leaseMs: number }>,
  ) => Promise<SearchLease | undefined>
  /** Releases the lease, so that another process can acquire it immediately. */
  releaseLease: (lease: SearchLease) => Promise<void>
}>

/** The lease of the process that searches. An extension may change its `token`. */
type SearchLease = Readonly<{ duty: string; token: bigint }>
