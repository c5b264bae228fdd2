import type { PoolDepth } from '#src/core/pools/poolKind.ts'
import type { SolidlyPool } from './solidlyPool.ts'
import { pointAt, priceAt } from './stableRanges.ts'

/**
 * Depths are counted in billionths of a reserve and rounded down by one billionth, about a thousand times the float
 * error.
 */
const billion = 10n ** 9n

/** Rounded down. Zeros for a pool without liquidity. */
export function stableDepth({
  reserve0,
  reserve1,
  unit0,
  unit1,
}: Pick<SolidlyPool, 'reserve0' | 'reserve1' | 'unit0' | 'unit1'>): PoolDepth {
  if (reserve0 === 0n || reserve1 === 0n) return { amount0: 0n, amount1: 0n }
  const t = Number(reserve1) / Number(unit1) / (Number(reserve0) / Number(unit0))
  const doubled = ratioOf(2 * priceAt(t))
  const halved = ratioOf(priceAt(t) / 2)
  return {
    amount0: partOf(reserve0, 1 - pointAt(doubled).x / pointAt(t).x),
    amount1: partOf(reserve1, 1 - pointAt(halved).y / pointAt(t).y),
  }
}

function partOf(reserve: bigint, part: number): bigint {
  const parts = BigInt(Math.floor(Math.max(0, part) * Number(billion))) - 1n
  return parts > 0n ? (reserve * parts) / billion : 0n
}

/** The ratio y ÷ x at which x has this price in y, by bisection of its logarithm. */
function ratioOf(price: number): number {
  let low = -200
  let high = 200
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2
    if (priceAt(Math.exp(middle)) < price) low = middle
    else high = middle
  }
  return Math.exp((low + high) / 2)
}
