import type { UsdPrice } from '#src/core/units/usd.ts'

/** @source v3-core TickMath: the tick range of every pool. */
const lastTick = 887_272

/** By fee in pips. @source v3-core UniswapV3Factory; the tier of 100 pips is enabled as on Ethereum. */
export const tickSpacings = { 100: 1, 500: 10, 3000: 60, 10000: 200 } as const

/** In pips. */
export type FeeTier = keyof typeof tickSpacings

export type PlannedPosition = Readonly<{ tickLower: number; tickUpper: number; percent: bigint }>

/**
 * Overlapping ranges around the price, as tick offsets (a tick is about a basis point), each with its percentage of the
 * depth: wide ones, narrow ones, and ones on one side of the price.
 */
const ranges = [
  [-lastTick, lastTick, 6n],
  [-16_000, 12_000, 12n],
  [-6900, 6900, 20n],
  [-4100, -1000, 6n],
  [1300, 5200, 6n],
  [-2200, 2300, 18n],
  [-1000, 800, 10n],
  [-470, 610, 5n],
  [-250, 230, 3n],
  [-120, 130, 2n],
  [50, 420, 2n],
  [-390, -60, 2n],
  [-80, 60, 2n],
  [-40, 30, 1n],
  [-20, 90, 2n],
  [-100, 20, 1n],
  [10, 40, 1n],
  [-30, -10, 1n],
] as const

/** Divisor of the ranges of pools between currencies of equal price. */
const peggedDivisor = 60

/**
 * The positions of a pool at `tick`. `seed` shifts the ranges by a few tick spacings, so that they differ between
 * pools.
 */
export function planPositions(
  tick: number,
  tickSpacing: number,
  isPegged: boolean,
  seed: number,
): readonly PlannedPosition[] {
  const scale = isPegged ? peggedDivisor : 1
  const shift = ((seed * 37) % 5) - 2
  return ranges.map(([below, above, percent]) => {
    const lower = below === -lastTick ? below : tick + below / scale
    const upper = above === lastTick ? above : tick + above / scale
    const lowerIndex = Math.max(Math.floor(lower / tickSpacing) + shift, minIndex(tickSpacing))
    const upperIndex = Math.min(Math.ceil(upper / tickSpacing) + shift, -minIndex(tickSpacing))
    return { tickLower: lowerIndex * tickSpacing, tickUpper: upperIndex * tickSpacing, percent }
  })
}

/** The lowest tick that pools accept, divided by the tick spacing. */
const minIndex = (tickSpacing: number): number => Math.ceil(-lastTick / tickSpacing)

export type PricedCurrency = Readonly<{ decimals: number; price: UsdPrice }>

/**
 * √(amount of currency1 per currency0) in the smallest units, times 2^96, rounded down. The price of currency0 is
 * `premiumPips` above its planned price.
 */
export function sqrtPriceX96Of(
  currency0: PricedCurrency,
  currency1: PricedCurrency,
  premiumPips: bigint,
): bigint {
  const numerator = currency0.price * (1_000_000n + premiumPips) * 10n ** BigInt(currency1.decimals)
  const denominator = currency1.price * 1_000_000n * 10n ** BigInt(currency0.decimals)
  return squareRoot((numerator << 192n) / denominator)
}

/** The tick at or next to a price: exact enough to place ranges around it. */
export const tickNear = (sqrtPriceX96: bigint): number =>
  Math.floor((2 * Math.log(Number(sqrtPriceX96) / 2 ** 96)) / Math.log(1.0001))

/** Rounded down, by Newton's method. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
