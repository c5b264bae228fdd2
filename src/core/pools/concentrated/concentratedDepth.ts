import { type PoolDepth, sqrtHalfX96 } from '#src/core/pools/poolKind.ts'
import type { ConcentratedPool } from './concentratedPool.ts'
import { getAmount0Down, getAmount1Down } from './sqrtPriceMath.ts'
import { ticksOf, toTickMap } from './tickMap.ts'
import { getSqrtRatioAtTick } from './tickMath.ts'

type Concentrated = Pick<ConcentratedPool, 'ticks' | 'tick' | 'liquidity' | 'sqrtPriceX96'>

/** The depth over all ticks, rounded down. Zeros without a price. */
export const concentratedDepth = (pool: Concentrated): PoolDepth =>
  pool.sqrtPriceX96 === 0n
    ? { amount0: 0n, amount1: 0n }
    : { amount0: measure0(pool), amount1: measure1(pool) }

/** The depth as if the liquidity in range extended to both sides, rounded down. Zeros without a price. */
export const depthInRange = (
  state: Pick<ConcentratedPool, 'sqrtPriceX96' | 'liquidity'>,
): PoolDepth => concentratedDepth({ ...state, ...withoutTicks })

const withoutTicks = { ticks: toTickMap([], 1), tick: 0 }

/** Currency0 leaves the pool as the price rises. */
function measure0({ ticks, tick, liquidity, sqrtPriceX96 }: Concentrated): bigint {
  const bound = (sqrtPriceX96 << 96n) / sqrtHalfX96
  let amount = 0n
  let inRange = liquidity
  let lower = sqrtPriceX96
  for (const crossed of ticksOf(ticks).filter(({ index }) => index > tick)) {
    const price = getSqrtRatioAtTick(crossed.index)
    if (price >= bound) break
    amount += getAmount0Down(lower, price, inRange)
    inRange += crossed.liquidityNet
    lower = price
  }
  return amount + getAmount0Down(lower, bound, inRange)
}

/** Currency1 leaves the pool as the price falls. */
function measure1({ ticks, tick, liquidity, sqrtPriceX96 }: Concentrated): bigint {
  const bound = (sqrtPriceX96 * sqrtHalfX96) >> 96n
  let amount = 0n
  let inRange = liquidity
  let upper = sqrtPriceX96
  for (const crossed of ticksOf(ticks)
    .filter(({ index }) => index <= tick)
    .reverse()) {
    const price = getSqrtRatioAtTick(crossed.index)
    if (price <= bound) break
    amount += getAmount1Down(price, upper, inRange)
    inRange -= crossed.liquidityNet
    upper = price
  }
  return amount + getAmount1Down(bound, upper, inRange)
}
