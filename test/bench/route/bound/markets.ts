import { ticksOf } from '#src/core/pools/concentrated/tickMap.ts'
import { kindOf, type Pool } from '#src/core/pools/pool.ts'
import type { Curve, Trade } from './curve.ts'
import { hyperbola, priceRanges, rangeCurve } from './rangeCurve.ts'
import { stableCurve } from './stableCurve.ts'

/** A pool in one direction. Currencies are identified by index. */
export type PoolMarket = Readonly<{
  from: number
  to: number
  /** The output of the first unit of input. */
  rate: number
  /**
   * The most profitable trade if a unit paid costs `price` bought units.
   * @param margin relative price improvement up to which an idle market still counts for `growth`
   */
  bestTrade: (price: number, margin?: number) => Trade
}>

/** Both directions of a pool, without those that can pay nothing. */
export function marketsOf(pool: Pool, numberOf: (currency: Pool['currency0']) => number) {
  const zero = numberOf(pool.currency0)
  const one = numberOf(pool.currency1)
  const [down, up] = curvesOf(pool)
  const feeOf = (zeroForOne: boolean) => kindOf(pool).feeOf?.(pool, zeroForOne) ?? pool.fee
  return [
    marketOf(zero, one, 1 - feeOf(true) / 1e6, down),
    marketOf(one, zero, 1 - feeOf(false) / 1e6, up),
  ].filter(({ rate }) => rate > 0)
}

/** The offer of a pool without its fee, which the pool takes from the input. */
function curvesOf(pool: Pool): readonly [Curve, Curve] {
  if ('ticks' in pool) {
    const current = Number(pool.sqrtPriceX96) / 2 ** 96
    const ticks = ticksOf(pool.ticks)
    const [down, up] = priceRanges(ticks, pool.tick, current, Number(pool.liquidity))
    return [rangeCurve(down), rangeCurve(up)]
  }
  const [reserve0, reserve1] = [Number(pool.reserve0), Number(pool.reserve1)]
  if (pool.kind === 'solidly' && pool.stable) {
    const [unit0, unit1] = [Number(pool.unit0), Number(pool.unit1)]
    const [side0, side1] = [
      { reserve: reserve0, unit: unit0 },
      { reserve: reserve1, unit: unit1 },
    ]
    return [stableCurve(side0, side1), stableCurve(side1, side0)]
  }
  return [rangeCurve(hyperbola(reserve0, reserve1)), rangeCurve(hyperbola(reserve1, reserve0))]
}

const marketOf = (
  from: number,
  to: number,
  feeFactor: number,
  { rate, tradeTo }: Curve,
): PoolMarket => ({
  from,
  to,
  rate: rate * feeFactor,
  bestTrade(price, margin = 0) {
    const { paid, bought, earned, growth } = tradeTo(price / feeFactor, margin)
    return { bought, earned, paid: paid / feeFactor, growth: growth / feeFactor ** 2 }
  },
})
