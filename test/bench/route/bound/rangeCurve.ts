import type { Curve } from './curve.ts'

/** A price range with constant liquidity. The square root of the price (output per input) falls from `start` to `end`. */
type PriceRange = Readonly<{ liquidity: number; start: number; end: number }>

/** Pools whose liquidity is constant between certain prices. */
export const rangeCurve = (ranges: readonly PriceRange[]): Curve => ({
  rate: (ranges[0]?.start ?? 0) ** 2,
  tradeTo(rate, margin) {
    const target = Math.sqrt(rate)
    const trade = { paid: 0, bought: 0, earned: 0, growth: 0 }
    for (const { liquidity, start, end } of ranges) {
      if (target > start) {
        if (target < start * (1 + margin) && trade.paid === 0)
          trade.growth = liquidity / (2 * start ** 3)
        break
      }
      const reached = Math.max(end, target)
      const bought = liquidity * (start - reached)
      trade.bought += bought
      trade.paid += bought / (reached * start)
      // Equals bought minus paid at the rate. Computed as a difference, it would be lost in rounding.
      trade.earned += bought * (1 - target ** 2 / (reached * start))
      if (reached > end) trade.growth = liquidity / (2 * target ** 3)
    }
    return trade
  },
})

/** x × y = k as one range. */
export const hyperbola = (reserveIn: number, reserveOut: number): PriceRange[] =>
  reserveIn === 0 || reserveOut === 0
    ? []
    : [
        {
          liquidity: Math.sqrt(reserveIn) * Math.sqrt(reserveOut),
          start: Math.sqrt(reserveOut / reserveIn),
          end: 0,
        },
      ]

/**
 * The ranges below and above the price of a pool with ticks.
 * @param current the square root of the price
 */
export function priceRanges(
  ticks: readonly Readonly<{ index: number; liquidityNet: bigint }>[],
  currentTick: number,
  current: number,
  liquidityThere: number,
): readonly [PriceRange[], PriceRange[]] {
  const priced = ticks.map(({ index, liquidityNet }) => ({
    index,
    net: Number(liquidityNet),
    price: Math.exp((index / 2) * Math.log1p(1e-4)),
  }))
  const walk = (ahead: typeof priced, sign: 1 | -1): PriceRange[] => {
    let liquidity = liquidityThere
    let start = current
    const ranges = ahead.map(({ net, price }) => {
      const range = { liquidity, start, end: price }
      liquidity += sign * net
      start = price
      return range
    })
    return ranges.filter((range) => range.liquidity > 0)
  }
  const invert = ({ liquidity, start, end }: PriceRange) => ({
    liquidity,
    start: 1 / start,
    end: 1 / end,
  })
  return [
    walk(priced.filter(({ index }) => index <= currentTick).reverse(), -1),
    walk(
      priced.filter(({ index }) => index > currentTick),
      1,
    ).map(invert),
  ]
}
