import { kindOf } from './kindOf.ts'
import type { SpotPrice } from './orientedPrice.ts'
import type { Pool } from './pool.ts'

/**
 * Raw units of output per raw unit of input, before the fee, for an amount too small to move the price.
 * `undefined` for a pool that is empty, not initialised, or concentrated without liquidity at its price.
 */
export const spotPrice = (pool: Pool, zeroForOne: boolean): SpotPrice | undefined =>
  kindOf(pool).spotPrice(pool, zeroForOne)
