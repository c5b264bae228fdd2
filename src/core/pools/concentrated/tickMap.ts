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
