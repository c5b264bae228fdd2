import type { Amount } from '#src/core/units/amount.ts'
import { kindOf } from './kindOf.ts'
import type { Pool, PoolSwap } from './pool.ts'
import type { SwapMode } from './swapMode.ts'

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
