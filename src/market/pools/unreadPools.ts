import type { BlockId } from '#src/chains/chainEvent.ts'
import type { Log } from '#src/config/log.ts'
import type { PoolId } from '#src/core/pools/poolIdentity.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

/** The pools to read at the next refresh. */
type UnreadPools = Readonly<{
  /** Adds pools, or forgets their failed reads. */
  add: (ids: readonly PoolId[]) => void
  remove: (id: PoolId) => void
  has: (id: PoolId) => boolean
  all: () => readonly PoolId[]
  /** The pools without a failed read. */
  untried: () => readonly PoolId[]
  /** Counts a failed read. Removes the pool after five failures in a row; its next verification reads it again. */
  miss: (id: PoolId, block: BlockId) => void
}>

const maxMisses = 5

export function createUnreadPools({ log }: Readonly<{ log: Log }>, chainId: ChainId): UnreadPools {
  /** Number of consecutive failed reads of each pool. */
  const misses = new Map<PoolId, number>()

  return {
    add(ids) {
      for (const id of ids) misses.set(id, 0)
    },
    remove: (id) => void misses.delete(id),
    has: (id) => misses.has(id),
    all: () => [...misses.keys()],
    untried: () => [...misses].flatMap(([id, count]) => (count === 0 ? [id] : [])),
    miss(id, { hash: blockHash }) {
      const count = (misses.get(id) ?? 0) + 1
      if (count < maxMisses) return void misses.set(id, count)
      misses.delete(id)
      log.warn(
        { chainId, pool: id, blockHash },
        'Cannot read a pool; tries again at its next verification',
      )
    },
  }
}
