import type { ConcentratedPool } from '#src/core/pools/concentrated/concentratedPool.ts'
import { getSqrtRatioAtTick, nextBoundary } from '#src/core/pools/concentrated/tickMap.ts'
import { swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { amountOf, type Move } from '#test/support/arbitraries/poolArbitrary.ts'

/**
 * The minimum amount that moves the price to the next initialised tick or word boundary. Undefined if the swap
 * ends before it.
 */
export function amountReachingBoundary(pool: ConcentratedPool, one: Move): Amount | undefined {
  const boundary = nextBoundary(pool.ticks, pool.tick, one.zeroForOne, true)
  if (boundary === undefined) return undefined
  const price = getSqrtRatioAtTick(boundary.index)
  const swap = one.mode === 'exactInput' ? swapExactInput : swapExactOutput
  const reaches = (amount: bigint) => {
    const next = swap(pool, one.zeroForOne, toAmount(amount))?.next
    if (next?.kind !== 'concentrated') return false
    return one.zeroForOne ? next.sqrtPriceX96 <= price : next.sqrtPriceX96 >= price
  }
  let enough: bigint = amountOf(pool, one)
  if (!reaches(enough)) return undefined
  let short = 0n
  while (enough - short > 1n) {
    const middle = (enough + short) >> 1n
    if (reaches(middle)) enough = middle
    else short = middle
  }
  return toAmount(enough)
}
