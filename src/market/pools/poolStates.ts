import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import type { Pool } from '#src/pools/pool.ts'
import type { Address } from '#src/units/address.ts'
import { type Applied, applyLogs } from './applyLogs.ts'

/** The state of every pool at the head of one chain, block after block, with the way back. */
export type PoolBook = Readonly<{
  /** At the head, changing with it. A pool whose state is unknown is not in it. */
  pools: ReadonlyMap<Address, Pool>
  /** Moves the head to the next block. A pool that its logs contradict drops out. */
  apply: (block: Pick<FollowedBlock, 'hash' | 'logs'>) => Applied
  /** Takes in pools as they were read from the chain at the head. */
  put: (pools: readonly Pool[]) => void
  /**
   * Moves the head back from the block `hash` to its parent.
   * @returns the pools whose state there is not known, for they were read from the chain at the
   * block that is undone: they drop out.
   * @throws Error when the head is another block, or no block is left that could be undone.
   */
  undo: (hash: FollowedBlock['hash']) => readonly Address[]
}>

/** What a block replaced: undefined stands for a pool that is not known before it. */
type Entry = Readonly<{
  hash: FollowedBlock['hash']
  before: Map<Address, Pool | undefined>
}>

/** `depth` blocks can be undone. */
export function createPoolBook(depth: number): PoolBook {
  const pools = new Map<Address, Pool>()
  const journal: Entry[] = []

  return {
    pools,
    apply({ hash, logs }) {
      const applied = applyLogs(pools, logs)
      const before = new Map<Address, Pool | undefined>()
      journal.push({ hash, before })
      if (journal.length > depth) journal.shift()
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
      const before = journal.at(-1)?.before
      for (const pool of read) {
        before?.set(pool.address, undefined)
        pools.set(pool.address, pool)
      }
    },
    undo(hash) {
      const entry = journal.pop()
      if (entry?.hash !== hash)
        throw new Error(`The head is ${entry?.hash}: ${hash} cannot be undone`)
      const unknown: Address[] = []
      for (const [address, pool] of entry.before) {
        if (pool !== undefined) pools.set(address, pool)
        else {
          pools.delete(address)
          unknown.push(address)
          // What stood further back led up to what was read anew: it is no better known.
          journal.at(-1)?.before.set(address, undefined)
        }
      }
      return unknown
    },
  }
}
