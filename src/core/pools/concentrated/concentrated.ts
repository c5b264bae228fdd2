import {
  orientedPrice,
  type PoolDepth,
  type PoolKind,
  sqrtHalfX96,
} from '#src/core/pools/poolKind.ts'
import {
  capacity,
  enterNextRange,
  enterRange,
  type LiquidityRanges,
} from '#src/core/pools/virtualReserves.ts'
import type { ConcentratedPool, TickState } from './concentratedPool.ts'
import { swapConcentrated } from './swapConcentrated.ts'
import { getAmount0Down, getAmount1Down } from './swapMath.ts'
import { getSqrtRatioAtTick, type TickMap, ticksOf, toTickMap } from './tickMap.ts'

/** The pool takes its input by a callback. */
const concentratedFlag = 1

/** For PancakeSwap v3, which takes 9,800 more than Uniswap v3. The pool kind does not distinguish the two. */
const hopGas = 66_000n

/** The functions that depend on the liquidity by price range alone, for every kind of pool with ticks. */
export const tickPools: Pick<PoolKind<TickState>, 'spotPrice' | 'depth' | 'writeReserves'> = {
  spotPrice: ({ liquidity, sqrtPriceX96 }, zeroForOne) =>
    liquidity === 0n
      ? undefined
      : orientedPrice(sqrtPriceX96 * sqrtPriceX96, 2n ** 192n, zeroForOne),
  depth: concentratedDepth,
  writeReserves(reserves, offset, pool, shape, zeroForOne) {
    if (pool.sqrtPriceX96 === 0n) return
    const current = rangeAt(liquidityRangesOf(pool.ticks), pool.tick)
    const sqrtPrice = Number(pool.sqrtPriceX96) / 2 ** 96
    enterRange(reserves, offset, shape, zeroForOne, current, sqrtPrice)
    if (reserves[offset + capacity] === 0) enterNextRange(reserves, offset, shape, zeroForOne)
  },
}

export const concentrated: PoolKind<ConcentratedPool> = {
  ...tickPools,
  swap: swapConcentrated,
  hopFlags: concentratedFlag,
  hopGas: () => hopGas,
  minHopGas: hopGas,
  shape: ({ ticks, fee }) => ({
    ranges: liquidityRangesOf(ticks).ranges,
    feeFactor: 1 - fee / 1_000_000,
    hopGas: Number(hopGas),
    feeJoins: false,
    hasTicks: true,
  }),
}

/** The depth over all ticks, rounded down. Zeros without a price. */
function concentratedDepth(pool: TickState): PoolDepth {
  return pool.sqrtPriceX96 === 0n
    ? { amount0: 0n, amount1: 0n }
    : { amount0: measure0(pool), amount1: measure1(pool) }
}

/** The depth as if the liquidity in range extended to both sides, rounded down. Zeros without a price. */
export const depthInRange = (
  state: Readonly<{ sqrtPriceX96: bigint; liquidity: bigint }>,
): PoolDepth => concentratedDepth({ ...state, ...withoutTicks })

const withoutTicks = { ticks: toTickMap([], 1), tick: 0, tickSpacing: 1 }

/** Currency0 leaves the pool as the price rises. */
function measure0({ ticks, tick, liquidity, sqrtPriceX96 }: TickState): bigint {
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
function measure1({ ticks, tick, liquidity, sqrtPriceX96 }: TickState): bigint {
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

/** The liquidity of a concentrated pool between its initialised ticks, and these. */
type TickRanges = Readonly<{ ticks: Int32Array; ranges: LiquidityRanges }>

const memo = new WeakMap<TickMap, TickRanges>()

/** Memoized by tick map: swaps do not change the map, so the ranges last for many blocks. */
export function liquidityRangesOf(map: TickMap): TickRanges {
  const known = memo.get(map)
  if (known !== undefined) return known
  const ranges = computeRanges(map)
  memo.set(map, ranges)
  return ranges
}

function computeRanges(map: TickMap): TickRanges {
  const ticks = ticksOf(map)
  const liquidities = new Float64Array(Math.max(0, ticks.length - 1))
  let liquidity = 0n
  for (let i = 0; i < liquidities.length; i++) {
    liquidity += ticks[i]?.liquidityNet ?? 0n
    liquidities[i] = Number(liquidity)
  }
  return {
    ticks: Int32Array.from(ticks, ({ index }) => index),
    ranges: {
      sqrtPrices: Float64Array.from(ticks, ({ index }) => sqrtPriceAt(index)),
      liquidities,
    },
  }
}

/** `Math.pow(1.0001, …)` would be wrong from the eleventh digit on, because 1.0001 itself is rounded. */
const sqrtPriceAt = (tick: number): number => Math.exp((tick / 2) * Math.log1p(1e-4))

/** The index of the range that contains `tick`: -1 below all ranges, their count above all of them. */
function rangeAt({ ticks }: TickRanges, tick: number): number {
  let low = 0
  let high = ticks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ticks[middle] as number) <= tick) low = middle + 1
    else high = middle
  }
  return low - 1
}
