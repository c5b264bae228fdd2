import { type TickMap, ticksOf } from '#src/pools/tickMap.ts'

/**
 * A pool's liquidity in floating point: range i lies between initialised ticks i and i + 1. Right to some
 * 14 digits, which is plenty to choose a route by.
 */
export type Ranges = Readonly<{
  ticks: Int32Array
  /** √(currency1 ÷ currency0) in raw units at each tick. */
  sqrtPrices: Float64Array
  /** One fewer than ticks. */
  liquidities: Float64Array
}>

const memo = new WeakMap<TickMap, Ranges>()

/** Swaps leave a pool's tick map as it is, so its ranges are worked out once for many blocks. */
export function rangesOf(map: TickMap): Ranges {
  const known = memo.get(map)
  if (known !== undefined) return known
  const ranges = measureRanges(map)
  memo.set(map, ranges)
  return ranges
}

function measureRanges(map: TickMap): Ranges {
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

/** `Math.pow(1.0001, …)` would carry the rounding of 1.0001 itself into the eleventh digit. */
const sqrtPriceAt = (tick: number): number => Math.exp((tick / 2) * Math.log1p(1e-4))

/** The range that holds `tick`: -1 below all ranges, their count above them. */
export function rangeAt({ ticks }: Ranges, tick: number): number {
  let low = 0
  let high = ticks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ticks[middle] as number) <= tick) low = middle + 1
    else high = middle
  }
  return low - 1
}
