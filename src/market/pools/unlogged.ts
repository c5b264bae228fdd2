import type { Reading } from '#src/market/reads/reading.ts'
import type { Pool } from '#src/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/pools/poolIdentity.ts'
import { type DiscoveredPool, marketKindOf } from './kinds/kinds.ts'
import type { PoolHistory } from './poolHistory.ts'

/** What becomes of a state by what was read at a block; undefined if the state is unknown. */
type StateChange = ((state: Pool) => Pool) | undefined

/** The readings of a block, and what takes their answers into the history. */
export type UnloggedReads = Readonly<{
  readings: readonly Reading<StateChange>[]
  commit: (changes: readonly StateChange[]) => void
  /** Whether no pool has joined since, of which something is to be read. */
  areAll: () => boolean
}>

/** The pools of which no log tells everything, such as a fee that its factory changes without a log. */
type Unlogged = Readonly<{
  add: (pool: DiscoveredPool) => void
  remove: (ids: readonly PoolId[]) => void
  /** @param onChange called if an answer changes a pool, or lets it be used, with those whose state is unknown. */
  next: (onChange: (lost: readonly PoolId[]) => void) => UnloggedReads
  /** These states are of an earlier block than the head: they wait for the answers at the head. */
  outdate: (pools: readonly Pool[]) => void
  isCurrent: (id: PoolId) => boolean
}>

export function createUnlogged(history: Pick<PoolHistory, 'pools' | 'amend' | 'lose'>): Unlogged {
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
          const amended: Pool[] = []
          const lost: PoolId[] = []
          let isChanged = false
          for (const [at, [id]] of found.entries()) {
            const state = history.pools.get(id)
            if (state === undefined) continue
            isChanged = outdated.delete(id) || isChanged
            const after = changes[at]?.(state)
            if (after === undefined) lost.push(id)
            else if (after !== state) amended.push(after)
          }
          history.amend(amended)
          history.lose(lost)
          if (isChanged || amended.length + lost.length > 0) onChange(lost)
        },
      }
    },
    outdate(pools) {
      for (const id of pools.map(poolIdOf)) if (readings.has(id)) outdated.add(id)
    },
    isCurrent: (id) => !outdated.has(id),
  }
}
