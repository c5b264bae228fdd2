import { getAmount0Down, getAmount1Down } from '#src/pools/concentrated/sqrtPriceMath.ts'
import { ticksOf, toTickMap } from '#src/pools/concentrated/tickMap.ts'
import { getSqrtRatioAtTick } from '#src/pools/concentrated/tickMath.ts'
import type { ConcentratedPool, ConstantProductPool, Pool } from '#src/pools/pool.ts'
import { mulDivUp } from '#src/units/mulDiv.ts'

/**
 * The amount of each currency that a pool pays out before that currency's price in the pool doubles, ignoring the fee.
 * Only liquidity near the current price counts, because liquidity far away does not defend the price.
 */
export type PoolDepth = Readonly<{ amount0: bigint; amount1: bigint }>

/** √½ times 2^96, rounded down. */
const sqrtHalfX96 = 56022770974786139918731938227n

/** A pool is immutable, and most pools stay the same from block to block. */
const cache = new WeakMap<Pool, PoolDepth>()

/** Rounded down. Zeros for a pool without liquidity. */
export function depthOf(pool: Pool): PoolDepth {
  const cached = cache.get(pool)
  if (cached !== undefined) return cached
  const depth = measure(pool)
  cache.set(pool, depth)
  return depth
}

/** Rounded down. As if the liquidity at the current price reached on both sides. Zeros without a price. */
export const depthInRange = (
  state: Pick<ConcentratedPool, 'sqrtPriceX96' | 'liquidity'>,
): PoolDepth =>
  state.sqrtPriceX96 === 0n
    ? { amount0: 0n, amount1: 0n }
    : {
        amount0: measure0({ ...state, ...withoutTicks }),
        amount1: measure1({ ...state, ...withoutTicks }),
      }

type Concentrated = Pick<ConcentratedPool, 'ticks' | 'tick' | 'liquidity' | 'sqrtPriceX96'>

const withoutTicks = { ticks: toTickMap([], 1), tick: 0 }

function measure(pool: Pool): PoolDepth {
  switch (pool.kind) {
    case 'constantProduct':
      return depthOfReserves(pool)
    case 'concentrated':
      return pool.sqrtPriceX96 === 0n
        ? { amount0: 0n, amount1: 0n }
        : { amount0: measure0(pool), amount1: measure1(pool) }
  }
}

/** Rounded down. */
export const depthOfReserves = ({
  reserve0,
  reserve1,
}: Pick<ConstantProductPool, 'reserve0' | 'reserve1'>): PoolDepth => ({
  amount0: untilDouble(reserve0),
  amount1: untilDouble(reserve1),
})

/** With x × y = k, a reserve falls to √½ of itself when its price doubles. */
const untilDouble = (reserve: bigint): bigint => reserve - mulDivUp(reserve, sqrtHalfX96, 1n << 96n)

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
