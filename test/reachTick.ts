import type { ConcentratedPool } from '#src/pools/pool.ts'
import { swapExactInput, swapExactOutput } from '#src/pools/swap.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { amountOf, type Move } from './poolArbitrary.ts'

/** The least amount that crosses a tick in the move's direction; undefined if the move crosses none. */
export function amountReachingTick(pool: ConcentratedPool, one: Move): Amount | undefined {
  const swap = one.side === 'amountIn' ? swapExactInput : swapExactOutput
  const crosses = (amount: bigint) =>
    (swap(pool, one.zeroForOne, toAmount(amount))?.ticksCrossed ?? 0) > 0
  let past: bigint = amountOf(pool, one)
  if (!crosses(past)) return undefined
  let short = 0n
  while (past - short > 1n) {
    const middle = (past + short) >> 1n
    if (crosses(middle)) past = middle
    else short = middle
  }
  return toAmount(past)
}
