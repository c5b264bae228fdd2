import { type TickMap, ticksOf } from '#src/pools/concentrated/tickMap.ts'

/**
 * The liquidity of a concentrated pool in floating point. Range i lies between the initialised ticks i and i + 1.
 * About 14 digits are correct, which is enough to choose a route.
 */
export type LiquidityRanges = Readonly<{
  ticks: Int32Array
  /** √(currency1 ÷ currency0) in raw units at each tick. */
  sqrtPrices: Float64Array
  /** One entry fewer than `ticks`. */
  liquidities: Float64Array
}>

const memo = new WeakMap<TickMap, LiquidityRanges>()

/** Memoized by tick map: swaps do not change the map, so the ranges last for many blocks. */
export function liquidityRangesOf(map: TickMap): LiquidityRanges {
  const known = memo.get(map)
  if (known !== undefined) return known
  const ranges = computeRanges(map)
  memo.set(map, ranges)
  return ranges
}

function computeRanges(map: TickMap): LiquidityRanges {
  const ticks = ticksOf(map)
  const liquidities = new Float64Array(Math.max(0, ticks.length - 1))
  let liquidity = 0n
  for (let i = 0; i < liquidities.length; i++) {
    liquidity += ticks[i]?.liquidityNet ?? 0n
    liquidities[i] = Number(liquidity)
  }
  return {
    ticks: Int32Array.from(ticks, ({ index }) => index),
    sqrtPrices: Float64Array.from(ticks, ({ index }) => sqrtPriceAt(index)),
    liquidities,
  }
}

/** `Math.pow(1.0001, …)` would be wrong from the eleventh digit on, because 1.0001 itself is rounded. */
const sqrtPriceAt = (tick: number): number => Math.exp((tick / 2) * Math.log1p(1e-4))

/** The index of the range that contains `tick`: -1 below all ranges, their count above all of them. */
export function rangeAt({ ticks }: LiquidityRanges, tick: number): number {
  let low = 0
  let high = ticks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ticks[middle] as number) <= tick) low = middle + 1
    else high = middle
  }
  return low - 1
}
