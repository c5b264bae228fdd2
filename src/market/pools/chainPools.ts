import type { BlockId, FollowedBlock } from '#src/chains/chainEvent.ts'
import type { PoolId } from '#src/core/pools/poolIdentity.ts'
import type { PoolGraph } from '#src/core/router/graph.ts'
import type { DiscoveredPool } from '#src/market/kinds/kinds.ts'
import type { UnloggedReads } from './unlogged.ts'

/** The tracked pools of one chain at its head, and the graph of the routable ones. */
export type ChainPools = Readonly<{
  graph: () => PoolGraph
  /** Number of tracked pools, routable or not. */
  trackedCount: () => number
  /** Number of pools that are new or whose state is uncertain, without those whose last read failed. */
  unreadCount: () => number
  /** The block of the pools' states. Undefined before the first block. */
  head: () => BlockId | undefined
  /** Tracks these pools. The next `refresh` reads their state. */
  add: (discovered: readonly DiscoveredPool[]) => void
  /** Stops tracking these pools, and currencies that are in no other pool. Must not run during a read of pools. */
  remove: (pools: readonly PoolId[]) => void
  /** Whether a tracked pool or one of its currencies waits for `refresh`. */
  isAwaited: (pool: PoolId) => boolean
  /** Moves the head to the next block by applying its logs. */
  apply: (block: FollowedBlock) => void
  /** Reads of the pool values that change without a log, to be made at each block and committed once it is applied. */
  unlogged: () => UnloggedReads
  /** Moves the head back. `blocks` are newest first. @throws Error if the blocks are too old. */
  undo: (blocks: readonly FollowedBlock[]) => void
  /** Whether there is anything for `refresh` to read. */
  hasUnread: () => boolean
  /**
   * Reads up to `limit` of the `unreadCount` pools at the head, which must not move during the read. The next `refresh`
   * adds them to the graph. @throws as `refresh`
   */
  readNew: (limit: number) => Promise<void>
  /**
   * Reads new and uncertain pools from the chain, and checks new currencies. The head may move during the read.
   * @returns whether the graph changed.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails. The next call repeats the failed reads.
   */
  refresh: () => Promise<boolean>
  /** Milliseconds until `verify` has work. */
  verifyInMs: () => number
  /**
   * Compares a few due pools and currencies with the chain. The head may move during the read: a state is compared with
   * the known state at the same block. A reorg voids the comparison.
   * @returns whether the graph changed.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails. The same pools and currencies then stay due.
   */
  verify: () => Promise<boolean>
}>
