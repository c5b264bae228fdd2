import { kindOf, type Pool, swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import type { RouteQuery } from '#src/core/router/findRoute.ts'
import { hopOverhead, pathGas, tickGas } from '#src/core/router/route.ts'
import { type Address, evmAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'

/** The result of the best single path of up to four hops. */
export type Single = Readonly<{
  pools: readonly Pool[]
  amountIn: Amount
  amountOut: Amount
  gas: bigint
}>

/** Tries every path that visits no currency twice, with exact amounts. Returns the best after gas, if any. */
export function bestSingle(pools: readonly Pool[], query: RouteQuery): Single | undefined {
  const isForwards = query.mode === 'exactInput'
  const [start, end] = isForwards ? [query.input, query.output] : [query.output, query.input]
  let best: Single | undefined
  const follow = (
    currency: Address,
    visited: readonly Address[],
    amount: Amount,
    path: readonly Pool[],
    gas: bigint,
  ) => {
    if (currency === end) {
      const [amountIn, amountOut] = isForwards
        ? [query.amount, amount]
        : [payable(path.toReversed(), query, amount), query.amount]
      if (amountIn === undefined) return
      const single = { pools: path, amountIn, amountOut, gas: gas + pathGas }
      if (best === undefined || netOf(query, single) > netOf(query, best)) best = single
      return
    }
    if (path.length === (query.maxHops ?? 4)) return
    for (const pool of pools) {
      if (pool.currency0 !== currency && pool.currency1 !== currency) continue
      if (!isForwards && kindOf(pool).hasMovingFee) continue
      const next = pool.currency0 === currency ? pool.currency1 : pool.currency0
      if (visited.includes(next)) continue
      const swap = isForwards
        ? swapExactInput(pool, currency === pool.currency0, amount)
        : swapExactOutput(pool, next === pool.currency0, amount)
      if (swap === undefined) continue
      const hop = kindOf(pool).hopGas(pool) + hopOverhead + BigInt(swap.ticksCrossed) * tickGas
      follow(
        next,
        [...visited, next],
        isForwards ? swap.amountOut : swap.amountIn,
        [...path, pool],
        gas + hop,
      )
    }
  }
  follow(evmAddress(start), [evmAddress(start)], query.amount, [], 0n)
  return best
}

/** The requested input, or up to 3 units more, if paying it gives the requested output in every step. */
function payable(path: readonly Pool[], query: RouteQuery, asked: Amount): Amount | undefined {
  for (let amountIn = asked; amountIn <= asked + 3n; amountIn = toAmount(amountIn + 1n)) {
    let carried: Amount | undefined = amountIn
    let currency = query.input
    for (const pool of path) {
      const zeroForOne: boolean = currency === pool.currency0
      carried = carried && swapExactInput(pool, zeroForOne, carried)?.amountOut
      currency = zeroForOne ? pool.currency1 : pool.currency0
    }
    if (carried !== undefined && carried >= query.amount) return amountIn
  }
  return undefined
}

/** The output after gas, or the negated input plus gas. */
export const netOf = (
  { mode, gasPrice }: RouteQuery,
  { amountIn, amountOut, gas }: Omit<Single, 'pools'>,
): bigint =>
  (mode === 'exactInput' ? amountOut : -amountIn) - BigInt(Math.round(Number(gas) * gasPrice))
