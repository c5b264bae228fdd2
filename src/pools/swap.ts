import type { Amount } from '#src/units/amount.ts'
import { swapConcentrated } from './concentrated.ts'
import { swapConstantProduct } from './constantProduct.ts'
import type { Pool, PoolSwap, Side } from './pool.ts'

/**
 * Pays exactly `amountIn` into the pool: the answer is what the contract would do, to the unit.
 * Undefined where the pool cannot take all of it, or would give nothing for it.
 * @param zeroForOne whether currency0 is paid in.
 */
export const swapExactInput = (
  pool: Pool,
  zeroForOne: boolean,
  amountIn: Amount,
): PoolSwap | undefined => swap(pool, zeroForOne, 'amountIn', amountIn)

/**
 * Takes exactly `amountOut` out of the pool for what the contract asks for it, to the unit.
 * Undefined where the pool cannot give all of it, and for an `amountOut` of zero.
 * @param zeroForOne whether currency0 is paid in.
 */
export const swapExactOutput = (
  pool: Pool,
  zeroForOne: boolean,
  amountOut: Amount,
): PoolSwap | undefined => swap(pool, zeroForOne, 'amountOut', amountOut)

function swap(pool: Pool, zeroForOne: boolean, side: Side, amount: Amount): PoolSwap | undefined {
  if (amount === 0n) return undefined
  const swapped =
    pool.kind === 'concentrated'
      ? swapConcentrated(pool, zeroForOne, side, amount)
      : swapConstantProduct(pool, zeroForOne, side, amount)
  return swapped?.amountOut === 0n ? undefined : swapped
}
