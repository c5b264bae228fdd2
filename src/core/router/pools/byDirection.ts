import type { Pool } from '#src/core/pools/pool.ts'

/**
 * Caches a value per pool object and direction. A pool that does not change stays the same object, often for many
 * blocks. `make` computes a missing value.
 */
export function rememberByDirection<Value extends object | bigint>() {
  const known = new WeakMap<Pool, [Value?, Value?]>()
  return (pool: Pool, zeroForOne: boolean, make: () => Value): Value => {
    const values = known.get(pool) ?? []
    known.set(pool, values)
    const direction = zeroForOne ? 0 : 1
    const found = values[direction] ?? make()
    values[direction] = found
    return found
  }
}
