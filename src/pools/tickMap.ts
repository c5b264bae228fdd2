import type { Branded } from '#src/units/brand.ts'
import { firstWhere } from './bisect.ts'

/** An initialised tick: the border of at least one position. */
export type Tick = Readonly<{
  index: number
  /** What liquidity in range gains when the price rises across it. */
  liquidityNet: bigint
  /** Of all positions that end here; positive. */
  liquidityGross: bigint
}>

/** All initialised ticks of one pool in ascending order. Immutable, so it may be a memo's key. */
export type TickMap = Branded<Readonly<{ tickSpacing: number; ticks: readonly Tick[] }>, 'TickMap'>

/** The lowest and the highest tick, as in v3-core's TickMath. */
export const minTick = -887272
export const maxTick = 887272

/**
 * In any order; ticks without liquidity are left out.
 * @throws RangeError where the ticks cannot be the whole map of a pool: one stands twice, off the
 * spacing or out of range, or their net liquidity does not add up to zero.
 */
export function toTickMap(ticks: readonly Tick[], tickSpacing: number): TickMap {
  const sorted = ticks
    .filter(({ liquidityGross }) => liquidityGross !== 0n)
    .sort((one, other) => one.index - other.index)
  let net = 0n
  let previous = Number.NEGATIVE_INFINITY
  for (const { index, liquidityNet } of sorted) {
    if (index % tickSpacing !== 0 || index < minTick || index > maxTick || index === previous)
      throw new RangeError(`No tick of a map with spacing ${tickSpacing}: ${index}`)
    net += liquidityNet
    previous = index
  }
  if (net !== 0n) throw new RangeError(`Ticks are missing: their net liquidity is ${net}`)
  return trust(sorted, tickSpacing)
}

/** In ascending order. */
export const ticksOf = (map: TickMap): readonly Tick[] => map.ticks

/** A tick at which a swap stops, at least to round. */
export type Boundary = Readonly<{ index: number; initialised: Tick | undefined }>

/**
 * The next boundary for a swap from `slot0.tick` `tick`: an initialised tick, or the end of the word of
 * 256 ticks in the contract's bitmap, should that come first: ahead downwards it is the first tick of
 * a word, upwards the last. Undefined where no initialised tick lies ahead.
 * @param hasLiquidity whether there is any at `tick`: without it nothing is rounded at the end of a
 * word, and the next initialised tick is what counts.
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

/** What the positions whose range holds `tick` add up to. */
export function liquidityAt(map: TickMap, tick: number): bigint {
  let liquidity = 0n
  for (const { index, liquidityNet } of map.ticks) {
    if (index > tick) break
    liquidity += liquidityNet
  }
  return liquidity
}

/**
 * The map after `liquidity` is put into (or, negative, taken out of) the range of a position.
 * @throws RangeError when more is taken out than is there, or for a tick off the spacing.
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
  if (index % map.tickSpacing !== 0) throw new RangeError(`No tick of spacing: ${index}`)
  const position = firstWhere(ticks, 0, (tick) => tick.index >= index)
  const old = ticks[position]?.index === index ? ticks[position] : undefined
  const liquidityGross = (old?.liquidityGross ?? 0n) + gross
  if (liquidityGross < 0n) throw new RangeError(`Tick ${index} lacks ${-liquidityGross} liquidity`)
  const changed = { index, liquidityNet: (old?.liquidityNet ?? 0n) + net, liquidityGross }
  ticks.splice(position, old === undefined ? 0 : 1, ...(liquidityGross === 0n ? [] : [changed]))
}

const trust = (ticks: readonly Tick[], tickSpacing: number): TickMap =>
  ({ tickSpacing, ticks }) as TickMap
