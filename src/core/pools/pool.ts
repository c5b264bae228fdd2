import { concentrated } from '#src/core/pools/concentrated/concentrated.ts'
import { constantProduct } from '#src/core/pools/constantProduct/constantProduct.ts'
import { slipstream } from '#src/core/pools/slipstream/slipstream.ts'
import { solidly } from '#src/core/pools/solidly/solidly.ts'
import { uniswapV4 } from '#src/core/pools/uniswapV4/uniswapV4.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { PoolKind, SpotPrice, SwapMode, SwapOf } from './poolKind.ts'

type StateOf<Kind> = Kind extends PoolKind<infer State> ? State : never

/** Everything about a pool at one block that affects swaps: a tagged union of the kinds of the table. */
export type Pool = StateOf<(typeof kinds)[keyof typeof kinds]>

/** One swap in one pool of any kind, with the pool after it. */
export type PoolSwap = SwapOf<Pool>

/** The pool kinds, by their name in pools and in the configuration. */
export const kinds = { constantProduct, concentrated, solidly, slipstream, uniswapV4 } as const

/** The gas units of the cheapest hop of any kind. */
export const minHopGas = BigInt(
  Math.min(...Object.values(kinds).map((kind) => Number(kind.minHopGas))),
)

/** The functions and constants of the kind of a pool. */
export const kindOf = (pool: Pool): PoolKind<Pool> =>
  // `pool.kind` selects the entry for this type of state, which the compiler cannot infer.
  kinds[pool.kind] as unknown as PoolKind<Pool>

/**
 * Raw units of output per raw unit of input, before the fee, for an amount too small to move the price.
 * `undefined` for a pool that is empty, not initialised, or concentrated without liquidity at its price.
 */
export const spotPrice = (pool: Pool, zeroForOne: boolean): SpotPrice | undefined =>
  kindOf(pool).spotPrice(pool, zeroForOne)

/**
 * Swaps exactly `amountIn`. The result equals the contract's, to the unit.
 * `undefined` if the pool cannot take all of it, or would give nothing for it.
 * @param zeroForOne whether currency0 is the input.
 */
export const swapExactInput = (
  pool: Pool,
  zeroForOne: boolean,
  amountIn: Amount,
): PoolSwap | undefined => swap(pool, zeroForOne, 'exactInput', amountIn)

/**
 * Swaps for exactly `amountOut`. The input equals what the contract asks for, to the unit.
 * `undefined` if the pool cannot give all of it, and for an `amountOut` of zero.
 * @param zeroForOne whether currency0 is the input.
 */
export const swapExactOutput = (
  pool: Pool,
  zeroForOne: boolean,
  amountOut: Amount,
): PoolSwap | undefined => swap(pool, zeroForOne, 'exactOutput', amountOut)

function swap(
  pool: Pool,
  zeroForOne: boolean,
  mode: SwapMode,
  amount: Amount,
): PoolSwap | undefined {
  if (amount === 0n) return undefined
  const swapped = kindOf(pool).swap(pool, zeroForOne, mode, amount)
  return swapped?.amountOut === 0n ? undefined : swapped
}
