import type { Pool } from './pool.ts'

/** An exact ratio of raw units; both parts are positive. */
export type SpotPrice = Readonly<{ numerator: bigint; denominator: bigint }>

/**
 * Raw units of output per raw unit of input, before the fee, for an amount too small to move the price.
 * `undefined` for a pool that is empty, not initialised, or concentrated without liquidity at its price.
 */
export function spotPrice(pool: Pool, zeroForOne: boolean): SpotPrice | undefined {
  switch (pool.kind) {
    case 'constantProduct':
      return oriented(pool.reserve1, pool.reserve0, zeroForOne)
    case 'concentrated': {
      if (pool.liquidity === 0n) return undefined
      return oriented(pool.sqrtPriceX96 * pool.sqrtPriceX96, 2n ** 192n, zeroForOne)
    }
  }
}

function oriented(ones: bigint, zeros: bigint, zeroForOne: boolean): SpotPrice | undefined {
  if (ones === 0n || zeros === 0n) return undefined
  return zeroForOne
    ? { numerator: ones, denominator: zeros }
    : { numerator: zeros, denominator: ones }
}
