import { depthOfReserves } from '#src/core/pools/constantProduct/constantProduct.ts'
import { orientedPrice, type PoolDepth, type PoolKind } from '#src/core/pools/poolKind.ts'
import {
  capacity,
  enterNextRange,
  enterRange,
  type PoolShape,
  reserveIn,
  reserveOut,
  type VirtualReserves,
} from '#src/core/pools/virtualReserves.ts'
import { giveAll, type SolidlyPool, swapSolidly } from './swapSolidly.ts'

/** The router transfers the input, and asks the pool for its output. */
const asksPoolFlag = 4

/**
 * The first swap after half an hour takes up to 70,000 more, because it writes an observation. The state does not show
 * this.
 */
const volatileGas = 128_000n
const stableGas = 150_000n
const gasOf = ({ stable }: SolidlyPool): bigint => (stable ? stableGas : volatileGas)

export const solidly: PoolKind<SolidlyPool> = {
  swap: swapSolidly,
  giveAll,
  spotPrice(pool, zeroForOne) {
    const { reserve0, reserve1, unit0, unit1 } = pool
    if (!pool.stable) return orientedPrice(reserve1, reserve0, zeroForOne)
    // The slopes of x³y + xy³ at x and y, both as reserve0 × reserve1 in the same unit.
    const [x, y] = [reserve0 * unit1, reserve1 * unit0]
    const byX = 3n * x * x * y + y ** 3n
    const byY = x ** 3n + 3n * x * y * y
    return orientedPrice(byX * unit1, byY * unit0, zeroForOne)
  },
  depth: depthOfSolidly,
  hopFlags: asksPoolFlag,
  hopGas: gasOf,
  minHopGas: volatileGas,
  shape: (pool) => solidlyShape(pool, Number(gasOf(pool))),
  writeReserves: writeSolidly,
}

/** Rounded down. */
export function depthOfSolidly(
  pool: Pick<SolidlyPool, 'stable' | 'reserve0' | 'reserve1' | 'unit0' | 'unit1'>,
): PoolDepth {
  return pool.stable ? stableDepth(pool) : depthOfReserves(pool)
}

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
const priceAt = (t: number): number =>
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

const curveRanges: CurveRanges = computeRanges()
const [centreAbove, centreBelow] = [pointAt(centralRatio), pointAt(1 / centralRatio)]

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

/**
 * The contract rounds down its fee and, in a stable pool, its invariant. So it may pay out as if the input were one
 * unit larger. This margin covers that for inputs of a million units or more. A smaller input may buy more than the
 * virtual reserves give, by at most the worth of one unit.
 */
const margin = 1 + 1e-6
/** Covers the difference of the prices at the two ends of the central range. */
const centralMargin = 1 + curveRanges.widest

/** The reserves of a stable pool in units of its curve, and the factors back to raw units. */
function scaleOf({ reserve0, reserve1, unit0, unit1 }: SolidlyPool) {
  const x = Number(reserve0) / Number(unit0)
  const y = Number(reserve1) / Number(unit1)
  const size = Math.sqrt(Math.sqrt(x * y * (x * x + y * y)))
  return {
    x: x / size,
    y: y / size,
    sqrtPrice: Math.sqrt(Number(unit1) / Number(unit0)),
    liquidity: size * Math.sqrt(Number(unit0) * Number(unit1)),
  }
}

const scaled = (values: Float64Array, factor: number): Float64Array => {
  const result = new Float64Array(values.length)
  for (let at = 0; at < values.length; at++) result[at] = (values[at] as number) * factor
  return result
}

const isEmpty = ({ reserve0, reserve1 }: SolidlyPool) => reserve0 === 0n || reserve1 === 0n

/** @param hopGas gas units of a hop through the pool */
function solidlyShape(pool: SolidlyPool, hopGas: number): PoolShape {
  const feeFactor = (1 - pool.fee / 1_000_000) * margin
  const common = { hopGas, feeJoins: false, hasTicks: false }
  if (!pool.stable || isEmpty(pool)) return { ranges: undefined, feeFactor, ...common }
  const { sqrtPrice, liquidity } = scaleOf(pool)
  const ranges = {
    sqrtPrices: scaled(curveRanges.sqrtPrices, sqrtPrice),
    liquidities: scaled(curveRanges.liquidities, liquidity),
  }
  return { ranges, feeFactor: feeFactor * centralMargin, ...common }
}

/** See `PoolKind.writeReserves`. */
function writeSolidly(
  reserves: VirtualReserves,
  offset: number,
  pool: SolidlyPool,
  shape: PoolShape,
  zeroForOne: boolean,
): void {
  if (pool.isPaused || isEmpty(pool)) return
  if (pool.stable) writeStable(reserves, offset, pool, shape, zeroForOne)
  else writeVolatile(reserves, offset, pool, shape, zeroForOne)
}

function writeVolatile(
  reserves: VirtualReserves,
  offset: number,
  pool: SolidlyPool,
  shape: PoolShape,
  zeroForOne: boolean,
): void {
  const [paid, bought] = zeroForOne
    ? [pool.reserve0, pool.reserve1]
    : [pool.reserve1, pool.reserve0]
  // Every output of a reserve of one unit is rounded down to nothing.
  if (bought <= 1n) return
  reserves[offset + reserveIn] = Number(paid) / shape.feeFactor
  reserves[offset + reserveOut] = Number(bought)
  reserves[offset + capacity] = Math.max(0, 2 ** 190 - Number(paid))
}

function writeStable(
  reserves: VirtualReserves,
  offset: number,
  pool: SolidlyPool,
  shape: PoolShape,
  zeroForOne: boolean,
): void {
  const { x, y, sqrtPrice } = scaleOf(pool)
  const price = Math.sqrt(priceAt(y / x))
  const current = rangeOf(price)
  const start = current === curveRanges.centre ? centralPrice(x, y, zeroForOne) : price
  enterRange(reserves, offset, shape, zeroForOne, current, start * sqrtPrice)
  if (reserves[offset + capacity] === 0) enterNextRange(reserves, offset, shape, zeroForOne)
}

/** The price within the central range from which it pays out as much as the curve does until its end. */
function centralPrice(x: number, y: number, zeroForOne: boolean): number {
  const liquidity = curveRanges.liquidities[curveRanges.centre] as number
  return zeroForOne
    ? centreBelow.sqrtPrice + Math.max(0, y - centreBelow.y) / liquidity
    : 1 / (1 / centreAbove.sqrtPrice + Math.max(0, x - centreAbove.x) / liquidity)
}

/** The index of the range of a square root of a price: the last one that begins at or below it. */
function rangeOf(sqrtPrice: number): number {
  const { sqrtPrices, liquidities } = curveRanges
  let low = 0
  let high = liquidities.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((sqrtPrices[middle] as number) <= sqrtPrice) low = middle
    else high = middle - 1
  }
  return low
}
