import type { Pool } from '#src/core/pools/pool.ts'
import { swapExactInput, swapExactOutput } from '#src/core/pools/swap.ts'
import { rememberByDirection } from '#src/core/router/pools/byDirection.ts'
import { toAmount } from '#src/core/units/amount.ts'

/** A pool that a path goes through, in the state before it. */
export type PoolHop = Readonly<{ pool: Pool; zeroForOne: boolean }>

/**
 * The largest input that all pools of a path can take, up to rounding: with tiny pools it may be a few units off. 0 if
 * there seems to be none.
 */
export function estimateLargestInput(hops: readonly PoolHop[]): bigint {
  let max: bigint | undefined
  for (const { pool, zeroForOne } of hops.toReversed()) {
    const own = largestInputOf(pool, zeroForOne)
    const tooMuch = max && swapExactOutput(pool, zeroForOne, toAmount(max + 1n))?.amountIn
    max = tooMuch === undefined || tooMuch > own ? own : tooMuch - 1n
    if (max <= 0n) return 0n
  }
  return max ?? 0n
}

/** Cached, because finding one takes about a hundred swaps. */
const knownInput = rememberByDirection<bigint>()

const largestInputOf = (pool: Pool, zeroForOne: boolean): bigint =>
  knownInput(pool, zeroForOne, () => searchInput(pool, zeroForOne))

const amountBits = 256

/**
 * A search bit by bit. A search over the number of bits comes first, because it tries far fewer amounts that are much
 * too large.
 */
function searchInput(pool: Pool, zeroForOne: boolean): bigint {
  const takes = (amount: bigint) => swapExactInput(pool, zeroForOne, toAmount(amount)) !== undefined
  let low = 0
  let high = amountBits
  while (low < high) {
    const middle = (low + high) >> 1
    if (takes(1n << BigInt(middle))) low = middle + 1
    else high = middle
  }
  if (low === 0) return 0n
  let amount = 1n << BigInt(low - 1)
  for (let bit = amount >> 1n; bit > 0n; bit >>= 1n) if (takes(amount + bit)) amount += bit
  return amount
}
