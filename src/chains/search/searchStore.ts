import type { Hash, Hex } from 'viem'
import type { BlockId } from '#src/chains/chainEvent.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'

/** A search for all logs of one event of one contract. Another chain under the same id has another block 0. */
export type LogSearch = Readonly<{
  chainId: ChainId
  /** Hash of block 0. */
  genesis: Hash
  address: Address
  /** The first topic. */
  topic: Hash
}>

/** How far a search is. */
export type SearchState = Readonly<{
  /** The block that it began with. */
  first: bigint
  /** All final blocks from `first` up to the one before this are searched. */
  next: bigint
  /** A searched block, which shows that the nodes still serve the same chain. Undefined before the first is known. */
  anchor: BlockId | undefined
  /** Number of blocks that nodes answer at a time, as learnt. */
  span: bigint
  /** Number of logs that were found. */
  found: number
}>

/** A log that a search found. */
export type FoundLog = Readonly<{
  blockNumber: bigint
  logIndex: number
  topics: readonly Hex[]
  data: Hex
}>

/** Place of a log in its chain. */
export type LogPlace = Pick<FoundLog, 'blockNumber' | 'logIndex'>

/** Keeps searches for all processes of a database. Every method throws an AppError if the database fails. */
export type SearchStore = Readonly<{
  findSearch: (search: LogSearch) => Promise<SearchState | undefined>
  /** Stores a search that has searched nothing yet, unless it is stored. */
  beginSearch: (search: LogSearch, state: SearchState) => Promise<void>
  /**
   * Stores logs of the blocks from `after` up to `state.next`, and the state. False, and nothing is stored, unless the
   * stored search has come exactly to `after`.
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
  /** Takes or extends the turn of `holder` at the duty. Undefined while somebody else has it. */
  claimTurn: (
    turn: Readonly<{ duty: string; holder: string; leaseMs: number }>,
  ) => Promise<Turn | undefined>
  /** Somebody else can take the duty at once. */
  endTurn: (turn: Turn) => Promise<void>
}>

/** One term of the process that searches. */
type Turn = Readonly<{ duty: string; token: bigint }>
