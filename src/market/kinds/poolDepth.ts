import { kindOf, type Pool } from '#src/core/pools/pool.ts'
import type { PoolDepth } from '#src/core/pools/poolKind.ts'

/** A pool is immutable, and most pools stay the same from block to block. */
const cache = new WeakMap<Pool, PoolDepth>()

/** The depth of a pool, rounded down. Zeros for a pool without liquidity. */
export function depthOf(pool: Pool): PoolDepth {
  const cached = cache.get(pool)
  if (cached !== undefined) return cached
  const depth = kindOf(pool).depth(pool)
  cache.set(pool, depth)
  return depth
}
