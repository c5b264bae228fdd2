import { randomFillSync } from 'node:crypto'

type Hash = `0x${string}`

const hashes = 128

/**
 * Makes what gives 32 bytes that nobody can guess, each of them once. They come off a supply, as those
 * of node's own `randomUUID` do: to ask the system each time takes longer than an order takes to hash.
 */
export function createRandomHash(): () => Hash {
  const supply = Buffer.alloc(32 * hashes)
  let used = hashes
  return () => {
    if (used === hashes) {
      randomFillSync(supply)
      used = 0
    }
    const start = 32 * used
    used += 1
    const hash: Hash = `0x${supply.toString('hex', start, start + 32)}`
    supply.fill(0, start, start + 32)
    return hash
  }
}
