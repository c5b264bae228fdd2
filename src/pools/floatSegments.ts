import { firstWhere } from './bisect.ts'
import type { ConcentratedPool } from './pool.ts'
import { type TickMap, ticksOf } from './tickMap.ts'

/**
 * The liquidity of a tick map over the price, in float64 for searches that only need to be close.
 * Prices are √(currency1 ÷ currency0) in raw units. Not to be written to: it is shared.
 */
export type LiquidityCurve = Readonly<{
  /** The prices of the initialised ticks, ascending. */
  sqrtPrices: Float64Array
  /** `liquidity[i]` lies between `sqrtPrices[i]` and `sqrtPrices[i + 1]`; there is none outside. */
  liquidity: Float64Array
}>

/**
 * A pool on its curve. A swap that pays currency0 lowers the price, one that pays currency1 raises it;
 * through liquidity L from a higher price p to a lower one q, L(1 ÷ q − 1 ÷ p) of currency0, fee apart,
 * stands against L(p − q) of currency1.
 */
export type FloatSegments = LiquidityCurve &
  Readonly<{
    sqrtPrice: number
    /** The segment that the price is in: −1 below the curve, `liquidity.length` above it. */
    current: number
  }>

const curves = new WeakMap<TickMap, LiquidityCurve>()

/** Accurate to about 1e-14. The curve is worked out once for each tick map. */
export function floatSegments(pool: ConcentratedPool): FloatSegments {
  const known = curves.get(pool.ticks)
  const curve = known ?? liquidityCurve(pool.ticks)
  if (known === undefined) curves.set(pool.ticks, curve)
  const above = firstWhere(ticksOf(pool.ticks), 0, ({ index }) => index > pool.tick)
  return { ...curve, sqrtPrice: Number(pool.sqrtPriceX96) / 2 ** 96, current: above - 1 }
}

const halfLnOneTick = Math.log1p(0.0001) / 2

function liquidityCurve(map: TickMap): LiquidityCurve {
  const ticks = ticksOf(map)
  const sqrtPrices = Float64Array.from(ticks, ({ index }) => Math.exp(index * halfLnOneTick))
  const liquidity = new Float64Array(Math.max(ticks.length - 1, 0))
  let running = 0n
  ticks.slice(0, -1).forEach(({ liquidityNet }, i) => {
    running += liquidityNet
    liquidity[i] = Number(running)
  })
  return { sqrtPrices, liquidity }
}
