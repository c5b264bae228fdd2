import {
  capacity,
  enterNextRange,
  enterRange,
  type PoolShape,
  reserveIn,
  reserveOut,
  type VirtualReserves,
} from '#src/core/pools/virtualReserves.ts'
import { centreAbove, centreBelow, curveRanges, priceAt } from './stableRanges.ts'
import type { SolidlyPool } from './swapSolidly.ts'

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
export function solidlyShape(pool: SolidlyPool, hopGas: number): PoolShape {
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
export function writeSolidly(
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
