import type { PoolDepth } from '#src/core/pools/poolKind.ts'
import type { SolidlyPool } from './swapSolidly.ts'

/**
 * The curve x³y + xy³ = 1 as ranges of constant liquidity in floating point. `sqrtPrices` has the ends of the ranges in
 * ascending order; a price is that of x in y. Scaling gives the ranges of every stable pool.
 *
 * No range offers less liquidity than the curve has anywhere in it. So an input buys at least as much here as in the
 * pool. Around the price 1 the liquidity of the curve is infinite: one narrow range there pays out as much as the curve
 * does, at prices that differ by at most `widest`.
 */
type CurveRanges = Readonly<{
  sqrtPrices: Float64Array
  liquidities: Float64Array
  /** The index of the range around the price 1. */
  centre: number
  /** Relative difference of the prices at the two ends of that range. */
  widest: number
}>

/** A point of the curve by the ratio t = y ÷ x. */
type CurvePoint = Readonly<{ x: number; y: number; sqrtPrice: number }>

/** x⁴(t + t³) = 1 */
function pointAt(t: number): CurvePoint {
  const x = (t + t ** 3) ** -0.25
  return { x, y: t * x, sqrtPrice: Math.sqrt(priceAt(t)) }
}

/** −dy ÷ dx */
export const priceAt = (t: number): number =>
  // Divided by t², which would overflow.
  t > 1 ? (3 / t + t) / (1 / t ** 2 + 3) : (3 * t + t ** 3) / (1 + 3 * t ** 2)

/** dy ÷ d√price */
function liquidityAt(t: number): number {
  const perRatio = ((3 + t ** 2) / (4 * (1 + t ** 2))) * pointAt(t).x
  const steepness = (3 * ((1 - t ** 2) / (1 + 3 * t ** 2)) ** 2) / (2 * Math.sqrt(priceAt(t)))
  return perRatio / steepness
}

/** The ratio at the ends of the range around the price 1. */
const centralRatio = 1.01

function computeRanges(): CurveRanges {
  const ratios: number[] = []
  for (let above = centralRatio - 1; above < 1; above *= 1.06) ratios.push(1 + above)
  for (let t = 2; t < 1e8; t *= 1.15) ratios.push(t)
  const prices = ratios.map((t) => pointAt(t).sqrtPrice)
  const liquidities = ratios.map(liquidityAt)
  // Beyond the last ratio the curve has less liquidity than at it.
  const ends = [...prices, 1e15]
  const [high, low] = [pointAt(centralRatio), pointAt(1 / centralRatio)]
  const central = Math.max(
    (high.y - low.y) / (high.sqrtPrice - low.sqrtPrice),
    (low.x - high.x) / (1 / low.sqrtPrice - 1 / high.sqrtPrice),
  )
  return {
    sqrtPrices: Float64Array.from([...ends.map((price) => 1 / price).reverse(), ...ends]),
    liquidities: Float64Array.from([...liquidities.toReversed(), central, ...liquidities]),
    centre: liquidities.length,
    widest: (high.sqrtPrice / low.sqrtPrice) ** 2 - 1,
  }
}

export const curveRanges: CurveRanges = computeRanges()
export const [centreAbove, centreBelow] = [pointAt(centralRatio), pointAt(1 / centralRatio)]

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
