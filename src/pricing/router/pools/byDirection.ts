import type { Pool } from '#src/pools/pool.ts'

/**
 * Remembers a value of each pool and direction as long as the pool stays as it is, which most pools do for many blocks.
 * `make` finds the value of a pool that is new.
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
