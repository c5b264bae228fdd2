import { randomFillSync } from 'node:crypto'
import type { Hash } from 'viem'

const poolSize = 128

/**
 * Creates a generator of unpredictable values of 32 bytes. It takes random bytes from the system for 128 values at
 * a time, as `randomUUID` of Node does: one system call for each value takes longer than hashing an order.
 */
export function createRandomHash(): () => Hash {
  const pool = Buffer.alloc(32 * poolSize)
  let used = poolSize
  return () => {
    if (used === poolSize) {
      randomFillSync(pool)
      used = 0
    }
    const start = 32 * used
    used += 1
    const hash: Hash = `0x${pool.toString('hex', start, start + 32)}`
    pool.fill(0, start, start + 32)
    return hash
  }
}
