import type { Branded } from '#src/core/units/brand.ts'

/** An initialised tick: a bound of at least one position. */
export type Tick = Readonly<{
  index: number
  /** Change of the liquidity in range when the price rises across the tick. */
  liquidityNet: bigint
  /** Total liquidity of all positions with a bound at this tick; positive. */
  liquidityGross: bigint
}>

/** All initialised ticks of one pool in ascending order. Immutable, so it can be the key of a memo. */
export type TickMap = Branded<Readonly<{ tickSpacing: number; ticks: readonly Tick[] }>, 'TickMap'>

/** The lowest and the highest tick, as in TickMath of v3-core. */
export const minTick = -887272
export const maxTick = 887272

/**
 * Takes ticks in any order and leaves out ticks without liquidity.
 * @throws RangeError if the ticks cannot be the complete map of a pool: a tick is duplicated, off the spacing or out of
 * range, or the net liquidity does not add up to zero.
 */
export function toTickMap(ticks: readonly Tick[], tickSpacing: number): TickMap {
  const sorted = ticks
    .filter(({ liquidityGross }) => liquidityGross !== 0n)
    .sort((one, other) => one.index - other.index)
  let net = 0n
  let previous = Number.NEGATIVE_INFINITY
  for (const { index, liquidityNet } of sorted) {
    if (index % tickSpacing !== 0 || index < minTick || index > maxTick || index === previous)
      throw new RangeError(
        `Tick ${index} is invalid or duplicated in a map with spacing ${tickSpacing}`,
      )
    net += liquidityNet
    previous = index
  }
  if (net !== 0n)
    throw new RangeError(`Ticks are missing: the net liquidity adds up to ${net} instead of 0`)
  return trust(sorted, tickSpacing)
}

/** In ascending order. */
export const ticksOf = (map: TickMap): readonly Tick[] => map.ticks

/** A tick at which a swap stops, if only to round. */
export type Boundary = Readonly<{ index: number; initialised: Tick | undefined }>

/**
 * The next boundary for a swap from `slot0.tick` = `tick`: the next initialised tick, or the end of the current
 * 256-tick word of the tick bitmap if that comes first. Downwards, a word ends at its first tick; upwards, at its
 * last. `undefined` if no initialised tick lies ahead.
 * @param hasLiquidity whether the pool has liquidity at `tick`. Without it nothing is rounded at the end of a word, so
 * only the next initialised tick counts.
 * @source v3-core TickBitmap.nextInitializedTickWithinOneWord
 */
export function nextBoundary(
  map: TickMap,
  tick: number,
  zeroForOne: boolean,
  hasLiquidity: boolean,
): Boundary | undefined {
  const { ticks, tickSpacing } = map
  const above = firstWhere(ticks, 0, ({ index }) => index > tick)
  const initialised = ticks[zeroForOne ? above - 1 : above]
  if (initialised === undefined) return undefined
  const position = Math.floor(tick / tickSpacing)
  const wordEnd = zeroForOne ? (position >> 8) << 8 : (((position + 1) >> 8) << 8) + 255
  const index = wordEnd * tickSpacing
  const comesFirst = zeroForOne ? index > initialised.index : index < initialised.index
  return hasLiquidity && comesFirst
    ? { index, initialised: undefined }
    : { index: initialised.index, initialised }
}

/** The total liquidity of the positions whose range contains `tick`. */
export function liquidityAt(map: TickMap, tick: number): bigint {
  let liquidity = 0n
  for (const { index, liquidityNet } of map.ticks) {
    if (index > tick) break
    liquidity += liquidityNet
  }
  return liquidity
}

/**
 * The map after `liquidity` is added to the range of a position, or removed if negative.
 * @throws RangeError if more is removed than is there, or for a tick off the spacing.
 * @source v3-core UniswapV3Pool._updatePosition, Tick.update
 */
export function changeLiquidity(
  map: TickMap,
  range: Readonly<{ tickLower: number; tickUpper: number }>,
  liquidity: bigint,
): TickMap {
  if (liquidity === 0n) return map
  const ticks = [...map.ticks]
  changeTick(map, ticks, range.tickLower, liquidity, liquidity)
  changeTick(map, ticks, range.tickUpper, liquidity, -liquidity)
  return trust(ticks, map.tickSpacing)
}

function changeTick(map: TickMap, ticks: Tick[], index: number, gross: bigint, net: bigint): void {
  if (index % map.tickSpacing !== 0)
    throw new RangeError(`Tick ${index} is not a multiple of the spacing ${map.tickSpacing}`)
  const position = firstWhere(ticks, 0, (tick) => tick.index >= index)
  const old = ticks[position]?.index === index ? ticks[position] : undefined
  const liquidityGross = (old?.liquidityGross ?? 0n) + gross
  if (liquidityGross < 0n) throw new RangeError(`Tick ${index} lacks ${-liquidityGross} liquidity`)
  const changed = { index, liquidityNet: (old?.liquidityNet ?? 0n) + net, liquidityGross }
  ticks.splice(position, old === undefined ? 0 : 1, ...(liquidityGross === 0n ? [] : [changed]))
}

const trust = (ticks: readonly Tick[], tickSpacing: number): TickMap =>
  ({ tickSpacing, ticks }) as TickMap

/**
 * Binary search: the first position from `start` on whose item satisfies `holds`; the length if none does. Along the
 * items, `holds` may change from false to true at most once.
 */
export function firstWhere<Item>(
  items: readonly Item[],
  start: number,
  holds: (item: Item) => boolean,
): number {
  let low = start
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(items[middle] as Item)) high = middle
    else low = middle + 1
  }
  return low
}

/** √1.0001^minTick and √1.0001^maxTick, times 2^96. A price is at least the first and below the second. */
export const minSqrtRatio = 4295128739n
export const maxSqrtRatio = 1461446703485210103287273052203988822378723970342n

/** Price limits of a swap without a limit of its own, as in QuoterV2 and the routers. */
export const lowestSqrtPrice = minSqrtRatio + 1n
export const highestSqrtPrice = maxSqrtRatio - 1n

/**
 * `factors[i]` is 1 ÷ √1.0001^(2^i), times 2^128. The price of a tick is the product over its bits.
 * @source v3-core TickMath.getSqrtRatioAtTick
 */
const factors = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
]

const one128 = 1n << 128n
const largest256 = (1n << 256n) - 1n
const below32 = (1n << 32n) - 1n

/**
 * √1.0001^tick, times 2^96, rounded up from 128 to 96 fractional bits as in the contract.
 * @throws RangeError for a tick out of range.
 * @source v3-core TickMath.getSqrtRatioAtTick
 */
export function getSqrtRatioAtTick(tick: number): bigint {
  if (tick < minTick || tick > maxTick) throw new RangeError(`Tick ${tick} is out of range`)
  let bits = Math.abs(tick)
  let ratio = one128
  for (const factor of factors) {
    if (bits === 0) break
    if ((bits & 1) === 1) ratio = (ratio * factor) >> 128n
    bits >>>= 1
  }
  if (tick > 0) ratio = largest256 / ratio
  return (ratio + below32) >> 32n
}

const lnOneTick = Math.log1p(0.0001)
const ln2Pow96 = 96 * Math.LN2

/**
 * The greatest tick whose price is not above `sqrtPriceX96`.
 *
 * The contract computes it from a binary logarithm; any exact method gives the same tick. The float64 logarithm is
 * wrong by less than 1e-8 of a tick, and the rounding of tick prices by less than 1e-5 of a tick at the lowest prices.
 * So the float decides for prices at least 1e-4 of a tick away from the nearest tick. Nearer prices are compared
 * exactly.
 * @throws RangeError below `minSqrtRatio` and from `maxSqrtRatio` on.
 * @source v3-core TickMath.getTickAtSqrtRatio
 */
export function getTickAtSqrtRatio(sqrtPriceX96: bigint): number {
  if (sqrtPriceX96 < minSqrtRatio || sqrtPriceX96 >= maxSqrtRatio)
    throw new RangeError(`Square root price ${sqrtPriceX96} is out of range`)
  const position = (2 * (Math.log(Number(sqrtPriceX96)) - ln2Pow96)) / lnOneTick
  const nearest = Math.round(position)
  if (Math.abs(position - nearest) > 1e-4) return Math.floor(position)
  return getSqrtRatioAtTick(nearest) <= sqrtPriceX96 ? nearest : nearest - 1
}
