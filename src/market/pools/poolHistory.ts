import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import type { Pool } from '#src/pools/pool.ts'
import type { Address } from '#src/units/address.ts'
import { type Applied, applyLogs } from './applyLogs.ts'

/** The state of every pool at the head of one chain, with an undo log for reorgs. */
export type PoolHistory = Readonly<{
  /** The pools at the head: a live view. Pools of unknown state are missing. */
  pools: ReadonlyMap<Address, Pool>
  /** Moves the head to the next block. Removes pools whose logs contradict their state. */
  apply: (block: Pick<FollowedBlock, 'hash' | 'logs'>) => Applied
  /** Adds or replaces pools that were read from the chain at the head. */
  put: (pools: readonly Pool[]) => void
  /** Forgets pools, with all their earlier states. */
  remove: (addresses: readonly Address[]) => void
  /**
   * Moves the head back from the block `hash` to its parent.
   * @returns the pools whose state at the parent is unknown, because they were read at the undone block or later. They
   * are removed.
   * @throws Error if the head is another block, or if the undo log is empty.
   */
  undo: (hash: FollowedBlock['hash']) => readonly Address[]
}>

/** The states that a block replaced; undefined for a pool whose state before the block is unknown. */
type Entry = Readonly<{
  hash: FollowedBlock['hash']
  before: Map<Address, Pool | undefined>
}>

/** @param depth number of blocks that can be undone. */
export function createPoolHistory(depth: number): PoolHistory {
  const pools = new Map<Address, Pool>()
  const undoLog: Entry[] = []

  return {
    pools,
    apply({ hash, logs }) {
      const applied = applyLogs(pools, logs)
      const before = new Map<Address, Pool | undefined>()
      undoLog.push({ hash, before })
      if (undoLog.length > depth) undoLog.shift()
      for (const pool of applied.changed) {
        before.set(pool.address, pools.get(pool.address))
        pools.set(pool.address, pool)
      }
      for (const address of applied.contradicted) {
        before.set(address, undefined)
        pools.delete(address)
      }
      return applied
    },
    put(read) {
      const before = undoLog.at(-1)?.before
      for (const pool of read) {
        before?.set(pool.address, undefined)
        pools.set(pool.address, pool)
      }
    },
    remove(addresses) {
      for (const address of addresses) {
        pools.delete(address)
        for (const { before } of undoLog) before.delete(address)
      }
    },
    undo(hash) {
      const entry = undoLog.pop()
      if (entry?.hash !== hash)
        throw new Error(`Cannot undo ${hash}: the head is ${entry?.hash ?? 'unknown'}`)
      const unknown: Address[] = []
      for (const [address, pool] of entry.before) {
        if (pool !== undefined) pools.set(address, pool)
        else {
          pools.delete(address)
          unknown.push(address)
          // Older states are unknown as well: logs led from them to the state that the read replaced.
          undoLog.at(-1)?.before.set(address, undefined)
        }
      }
      return unknown
    },
  }
}
