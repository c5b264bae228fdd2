import { type Pool, swapExactInput } from '#src/core/pools/pool.ts'
import type { Path } from '#src/core/router/route.ts'
import type { Address } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'

/** The pool of `pools` between two currencies. @throws Error if there is none. */
export function poolBetween(
  pools: readonly Pool[],
  kind: Pool['kind'],
  [one, other]: readonly [Address, Address],
  fee?: number,
): Pool {
  const found = pools.find(
    (pool) =>
      pool.kind === kind &&
      [one, other].sort().join() === [pool.currency0, pool.currency1].join() &&
      (fee === undefined || pool.fee === fee),
  )
  if (found === undefined) throw new Error('No such pool')
  return found
}

/** A path through `hopped` that starts with `input`, with the output that the pools give. */
export function pathOf(
  input: Address,
  amountIn: bigint,
  hopped: readonly Pool[],
  limited: boolean,
): Path {
  let [currency, amount] = [input, amountIn]
  const hops = hopped.map((pool) => {
    const zeroForOne = pool.currency0 === currency
    const swapped = swapExactInput(pool, zeroForOne, toAmount(amount))
    if (swapped === undefined) throw new Error('The pool cannot take it')
    currency = zeroForOne ? pool.currency1 : pool.currency0
    amount = swapped.amountOut
    return { pool, zeroForOne, ...swapped }
  })
  return {
    amountIn: toAmount(amountIn),
    amountOut: toAmount(limited ? amount - amount / 1000n : 0n),
    hops,
  }
}
