import type { LiquidityRanges } from '#src/core/pools/virtualReserves.ts'
import { type TickMap, ticksOf } from './tickMap.ts'

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
export function rangeAt({ ticks }: Pick<TickRanges, 'ticks'>, tick: number): number {
  let low = 0
  let high = ticks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ticks[middle] as number) <= tick) low = middle + 1
    else high = middle
  }
  return low - 1
}
