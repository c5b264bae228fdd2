import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolIdentity.ts'
import { type Applied, applyLogs } from './poolLogs.ts'

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
