import type { Hex, Log } from 'viem'
import type { FollowedBlock, LoggedBlock } from '#src/chains/chainEvent.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf, toManagedPoolId } from '#src/core/pools/poolKind.ts'
import { toAddress } from '#src/core/units/address.ts'
import { marketKindOf, marketKinds } from '#src/market/kinds/kinds.ts'

type AppliedBlock = Readonly<{ hash: FollowedBlock['hash']; logs: FollowedBlock['logs'] }>

/** The state of every pool at the head of one chain, with an undo log for reorgs. */
export type PoolHistory = Readonly<{
  /** The pools at the head: a live view. Pools of unknown state are missing. */
  pools: ReadonlyMap<PoolId, Pool>
  /** Moves the head to the next block. Removes pools whose logs contradict their state. */
  apply: (block: AppliedBlock) => Applied
  /** Adds or replaces pools that were read from the chain at the head. */
  put: (pools: readonly Pool[]) => void
  /** Replaces states after a read of values that change without a log. The states at the parent block do not change. */
  update: (pools: readonly Pool[]) => void
  /** Removes pools whose state is unknown at the head and at earlier blocks. */
  lose: (ids: readonly PoolId[]) => void
  /** Forgets pools, with all their earlier states. */
  remove: (ids: readonly PoolId[]) => void
  /**
   * Moves the head back from the block `hash` to its parent.
   * @returns the pools whose state at the parent is unknown, because they were read at the undone block or later. They
   * are removed.
   * @throws Error if the head is another block, or if the undo log is empty.
   */
  undo: (hash: FollowedBlock['hash']) => readonly PoolId[]
}>

/** The states that a block replaced; undefined for a pool whose state before the block is unknown. */
type Entry = Readonly<{
  hash: FollowedBlock['hash']
  before: Map<PoolId, Pool | undefined>
}>

/** @param depth number of blocks that can be undone. */
export function createPoolHistory(depth: number): PoolHistory {
  const pools = new Map<PoolId, Pool>()
  const undoLog: Entry[] = []

  return {
    pools,
    apply({ hash, logs }) {
      const applied = applyLogs(pools, logs)
      const before = new Map<PoolId, Pool | undefined>()
      undoLog.push({ hash, before })
      if (undoLog.length > depth) undoLog.shift()
      for (const pool of applied.changed) {
        before.set(poolIdOf(pool), pools.get(poolIdOf(pool)))
        pools.set(poolIdOf(pool), pool)
      }
      for (const id of applied.contradicted) {
        before.set(id, undefined)
        pools.delete(id)
      }
      return applied
    },
    put(read) {
      const before = undoLog.at(-1)?.before
      for (const pool of read) {
        before?.set(poolIdOf(pool), undefined)
        pools.set(poolIdOf(pool), pool)
      }
    },
    update(read) {
      const before = undoLog.at(-1)?.before
      for (const pool of read) {
        if (before?.has(poolIdOf(pool)) === false)
          before.set(poolIdOf(pool), pools.get(poolIdOf(pool)))
        pools.set(poolIdOf(pool), pool)
      }
    },
    lose(ids) {
      const before = undoLog.at(-1)?.before
      for (const id of ids) {
        before?.set(id, undefined)
        pools.delete(id)
      }
    },
    remove(ids) {
      for (const id of ids) {
        pools.delete(id)
        for (const { before } of undoLog) before.delete(id)
      }
    },
    undo(hash) {
      const entry = undoLog.pop()
      if (entry?.hash !== hash)
        throw new Error(`Cannot undo ${hash}: the head is ${entry?.hash ?? 'unknown'}`)
      const unknown: PoolId[] = []
      for (const [id, pool] of entry.before) {
        if (pool !== undefined) pools.set(id, pool)
        else {
          pools.delete(id)
          unknown.push(id)
          // Older states are unknown as well: logs led from them to the state that the read replaced.
          undoLog.at(-1)?.before.set(id, undefined)
        }
      }
      return unknown
    },
  }
}

type Applied = Readonly<{
  /** The changed pools, in their state after the last log. */
  changed: readonly Pool[]
  /** Pools whose logs contradict their state, because an earlier log was missed. Their state is now unknown. */
  contradicted: readonly PoolId[]
}>

/** Applies a block's logs to the pools, in order. Ignores logs of other contracts. */
export function applyLogs(
  pools: ReadonlyMap<PoolId, Pool>,
  logs: readonly Log<bigint, number, false>[],
): Applied {
  const changed = new Map<PoolId, Pool>()
  const contradicted = new Set<PoolId>()
  for (const log of logs) {
    const id = poolOfLog(log)
    const before = changed.get(id) ?? pools.get(id)
    if (before === undefined || contradicted.has(id)) continue
    // Any contract can emit a log with the id of a managed pool.
    if (before.address !== toAddress(log.address)) continue
    const after = applyLog(before, log)
    if (after === undefined) contradicted.add(id)
    else if (after !== before) changed.set(id, after)
  }
  for (const [id, pool] of changed) if (!marketKindOf(pool).isConsistent(pool)) contradicted.add(id)
  for (const id of contradicted) changed.delete(id)
  return { changed: [...changed.values()], contradicted: [...contradicted] }
}

/** @returns undefined if the log contradicts the pool or cannot be decoded. */
function applyLog(pool: Pool, log: Log<bigint, number, false>): Pool | undefined {
  try {
    const event = marketKindOf(pool).events.get(log.topics[0] ?? '0x')
    return event === undefined ? pool : event(pool, log)
  } catch {
    return undefined
  }
}

/**
 * The pools that were read only once. A node that is importing a block sometimes answers with parts of that block's
 * state. The logs of that block are then applied twice. That is harmless for events that contain the new state, but not
 * for events that contain a change.
 */
type SingleReads = Readonly<{
  /** @param height of the block at which the pools were read. */
  add: (ids: readonly PoolId[], height: bigint) => void
  /** The pools to which changes of this block may have been applied twice. The block is later than their read. */
  doubtedBy: (block: LoggedBlock) => readonly PoolId[]
}>

/** The topics of events that contain a change, such as a liquidity delta, and not the new state. */
const changeTopics: ReadonlySet<Hex | undefined> = new Set(
  marketKinds.flatMap(([, { events, priceTopics }]) =>
    [...events.keys()].filter((topic) => !priceTopics.has(topic)),
  ),
)

/** Nodes keep the state of a block for 128 further blocks, so a node that answered was not importing a later block. */
const statesKept = 128n

export function createSingleReads(): SingleReads {
  const heights = new Map<PoolId, bigint>()
  let highest = -1n

  return {
    add(ids, height) {
      for (const id of ids) heights.set(id, height)
      if (height > highest) highest = height
    },
    doubtedBy({ number, logs }) {
      if (number > highest + statesKept) heights.clear()
      if (heights.size === 0) return []
      const changed = logs.filter(({ topics }) => changeTopics.has(topics[0])).map(poolOfLog)
      return [...new Set(changed)].filter((id) => number <= (heights.get(id) ?? -1n) + statesKept)
    },
  }
}

/** The topics of pool events that a manager contract emits, with the pool's id as the first indexed field. */
const managedTopics: ReadonlySet<Hex | undefined> = new Set(
  marketKinds.flatMap(([, { isManaged, events }]) => (isManaged ? [...events.keys()] : [])),
)

/** The id of the pool that a pool event concerns: the id in a manager's event, else the emitting contract. */
export function poolOfLog({ address, topics: [topic, id] }: Log): PoolId {
  return managedTopics.has(topic) && id !== undefined ? toManagedPoolId(id) : toAddress(address)
}
