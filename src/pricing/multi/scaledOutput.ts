import type { Pool } from '#src/pools/pool.ts'
import { swapExactInput } from '#src/pools/swap.ts'
import type { Route } from '#src/pricing/router/route.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'

/**
 * What less input gives along the paths of a route, divided between them alike: nearly as much as along a route of its own,
 * and told at once.
 */
export function scaledOutput({ amountIn, paths }: Route, input: bigint): Amount {
  const states = new Map<Pool['address'], Pool>()
  let output = 0n
  for (const path of paths) {
    let amount = toAmount((path.amountIn * input) / amountIn)
    for (const { pool, zeroForOne } of path.hops) {
      const swapped = swapExactInput(states.get(pool.address) ?? pool, zeroForOne, amount)
      if (swapped !== undefined) states.set(pool.address, swapped.next)
      amount = swapped?.amountOut ?? toAmount(0n)
    }
    output += amount
  }
  return toAmount(output)
}
