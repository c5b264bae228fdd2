import type { BlockId, FollowedBlock } from '#src/chains/chainEvent.ts'
import type { PoolId } from '#src/pools/poolIdentity.ts'
import type { PoolGraph } from '#src/pricing/router/graph.ts'
import type { DiscoveredPool } from './kinds/kinds.ts'
import type { UnloggedReads } from './unlogged.ts'

/** The tracked pools of one chain at its head, and the graph of the routable ones. */
export type ChainPools = Readonly<{
  graph: () => PoolGraph
  /** Number of tracked pools, routable or not. */
  trackedCount: () => number
  /** Number of pools that were not read yet, or whose state is uncertain. Those that cannot be read are not among them. */
  unreadCount: () => number
  /** The block that the pools are at. Undefined before the first one. */
  head: () => BlockId | undefined
  /** Tracks these pools. The next `refresh` reads their state. */
  add: (discovered: readonly DiscoveredPool[]) => void
  /** Tracks these pools no longer, nor the currencies that no other pool has. Never while the pools are being read. */
  remove: (pools: readonly PoolId[]) => void
  /** Whether a tracked pool, or one of its currencies, waits for `refresh`. */
  isAwaited: (pool: PoolId) => boolean
  /** Moves the head to the next block by applying its logs. */
  apply: (block: FollowedBlock) => void
  /** What no log tells of the pools: to be read at each block, whose pools they are once it is known. */
  unlogged: () => UnloggedReads
  /** Moves the head back. `blocks` are newest first. @throws Error if the blocks are too old. */
  undo: (blocks: readonly FollowedBlock[]) => void
  /** Whether there is anything for `refresh` to read. */
  hasUnread: () => boolean
  /**
   * Reads up to `limit` of the `unreadCount` pools at the head, which must not move meanwhile. The next `refresh` takes them
   * into the graph. @throws as `refresh`
   */
  readNew: (limit: number) => Promise<void>
  /**
   * Reads from the chain what logs do not tell: the state of new and uncertain pools and currencies. The head may move
   * meanwhile.
   * @returns whether the graph changed.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails. The next call reads what is missing.
   */
  refresh: () => Promise<boolean>
  /** Milliseconds until `verify` has work. */
  verifyInMs: () => number
  /**
   * Compares a few pools and currencies that are due with the chain. The head may move meanwhile: a state is compared
   * with the one at the block that was read. A reorg voids the comparison.
   * @returns whether the graph changed.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails. The same ones are then due still.
   */
  verify: () => Promise<boolean>
}>
