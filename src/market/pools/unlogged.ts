import type { Pool } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolKind.ts'
import { type DiscoveredPool, marketKindOf } from '#src/market/kinds/kinds.ts'
import type { Reading } from '#src/market/reads/reading.ts'
import type { PoolHistory } from './poolHistory.ts'

/** Updates a state by the values that were read at a block; undefined if the state is unknown. */
type StateChange = ((state: Pool) => Pool) | undefined

/** The readings of a block, and the function that stores their results in the history. */
export type UnloggedReads = Readonly<{
  readings: readonly Reading<StateChange>[]
  commit: (changes: readonly StateChange[]) => void
  /** Whether `readings` still covers all pools, although pools may have joined since. */
  areAll: () => boolean
}>

/** The pools that can change without a log: for example, a factory changes their fee. */
export type Unlogged = Readonly<{
  add: (pool: DiscoveredPool) => void
  remove: (ids: readonly PoolId[]) => void
  /** @param onChange called if `commit` changes a pool or makes it usable, with the pools whose state is unknown. */
  next: (onChange: (lost: readonly PoolId[]) => void) => UnloggedReads
  /** Marks states that were read before the head. `isCurrent` is false for them until the next `commit`. */
  invalidate: (pools: readonly Pool[]) => void
  isCurrent: (id: PoolId) => boolean
}>

export function createUnlogged(history: PoolHistory): Unlogged {
  const readings = new Map<PoolId, Reading<StateChange>>()
  const outdated = new Set<PoolId>()

  return {
    add(pool) {
      const reading = marketKindOf(pool).readAtBlock?.(pool)
      if (reading !== undefined) readings.set(poolIdOf(pool), reading)
    },
    remove(ids) {
      for (const id of ids) {
        readings.delete(id)
        outdated.delete(id)
      }
    },
    next(onChange) {
      const present = () => [...readings].filter(([id]) => history.pools.has(id))
      const found = present()
      return {
        areAll: () => {
          const ids = new Set(found.map(([id]) => id))
          return present().every(([id]) => ids.has(id))
        },
        readings: found.map(([, reading]) => reading),
        commit(changes) {
          const updated: Pool[] = []
          const lost: PoolId[] = []
          let isChanged = false
          for (const [at, [id]] of found.entries()) {
            const state = history.pools.get(id)
            if (state === undefined) continue
            isChanged = outdated.delete(id) || isChanged
            const after = changes[at]?.(state)
            if (after === undefined) lost.push(id)
            else if (after !== state) updated.push(after)
          }
          history.update(updated)
          history.lose(lost)
          if (isChanged || updated.length + lost.length > 0) onChange(lost)
        },
      }
    },
    invalidate(pools) {
      for (const id of pools.map(poolIdOf)) if (readings.has(id)) outdated.add(id)
    },
    isCurrent: (id) => !outdated.has(id),
  }
}
