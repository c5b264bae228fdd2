import { firstWhere } from './bisect.ts'
import type { Side } from './pool.ts'
import { crossRange } from './swapMath.ts'
import {
  type Boundary,
  liquidityAt,
  maxTick,
  minTick,
  nextBoundary,
  type TickMap,
} from './tickMap.ts'
import {
  getSqrtRatioAtTick,
  getTickAtSqrtRatio,
  highestSqrtPrice,
  lowestSqrtPrice,
} from './tickMath.ts'

/** How a pool stands at a moment of a swap, and what has flowed until then. */
export type Standing = Readonly<{
  sqrtPriceX96: bigint
  /** `slot0.tick` */
  tick: number
  liquidity: bigint
  /** Totals from a start that all standings of one ladder share, so only differences mean anything. */
  amountIn: bigint
  amountOut: bigint
  ticksCrossed: number
}>

/** A boundary, and how a swap that has just come to it stands. */
export type Rung = Standing &
  Readonly<{
    /** The boundary's index, or an end of the range of ticks, which stands for the price limit. */
    boundary: number
    /** How many initialised ticks getting here crosses: 0 at the end of a word and at a limit. */
    crosses: 0 | 1
  }>

/** The rungs of a tick map in one direction, at one fee, in the order in which a swap meets them. */
export type Ladder = Readonly<{
  map: TickMap
  zeroForOne: boolean
  /** In pips. */
  fee: bigint
  /** A stretch without gaps, as long as swaps have asked for: a memo that grows in place. */
  rungs: Rung[]
}>

/** Weak and apart from the maps: equal maps stay equal, and those no longer used are let go. */
const ladders = new WeakMap<TickMap, readonly Ladder[]>()

/**
 * From one rung to the next nothing depends on where a swap began or how much is left of it. So
 * what one swap has worked out serves all, until a position changes and the pool gets another map.
 */
export function ladderOf(map: TickMap, zeroForOne: boolean, fee: number): Ladder {
  const known = ladders.get(map) ?? []
  const pips = BigInt(fee)
  for (const ladder of known)
    if (ladder.zeroForOne === zeroForOne && ladder.fee === pips) return ladder
  const ladder = { map, zeroForOne, fee: pips, rungs: [] }
  ladders.set(map, [...known, ladder])
  return ladder
}

/**
 * The position of the first rung ahead of a pool; past the last rung where no initialised tick, and so
 * no liquidity, lies ahead.
 */
export function firstRungAhead(
  ladder: Ladder,
  { tick, liquidity }: Readonly<{ tick: number; liquidity: bigint }>,
): number {
  const { map, zeroForOne, rungs } = ladder
  const isAhead = ({ boundary }: Rung) => (zeroForOne ? boundary <= tick : boundary > tick)
  const [start] = rungs
  if (start !== undefined && !isAhead(start)) return findOrGrow(ladder, 0, isAhead)
  const boundary = nextBoundary(map, tick, zeroForOne, liquidity !== 0n)
  if (boundary === undefined) return rungs.length
  // A ladder grows forwards only. To start it anew is rare: the price must be further back than ever.
  if (boundary.index !== start?.boundary)
    rungs.splice(0, rungs.length, {
      ...arrival(zeroForOne, boundary, liquidityAt(map, tick)),
      amountIn: 0n,
      amountOut: 0n,
      ticksCrossed: 0,
    })
  return 0
}

/**
 * The position of the first rung, from `start` on, whose total on `side` is `total` or more; past the
 * last rung where the pool's liquidity ends before that.
 */
export const rungAtTotal = (ladder: Ladder, start: number, side: Side, total: bigint): number =>
  findOrGrow(ladder, start, (rung) => rung[side] >= total)

function findOrGrow(ladder: Ladder, start: number, holds: (rung: Rung) => boolean): number {
  const { rungs } = ladder
  for (let last = rungs.at(-1); last !== undefined && !holds(last); ) {
    last = rungAfter(ladder, last)
    if (last !== undefined) rungs.push(last)
  }
  return firstWhere(rungs, start, holds)
}

function rungAfter({ map, zeroForOne, fee }: Ladder, rung: Rung): Rung | undefined {
  if (rung.boundary === outermostTick(zeroForOne)) return undefined
  const { liquidity } = rung
  const boundary = nextBoundary(map, rung.tick, zeroForOne, liquidity !== 0n)
  if (boundary === undefined) return undefined
  const next = arrival(zeroForOne, boundary, liquidity)
  const step = crossRange(rung.sqrtPriceX96, next.sqrtPriceX96, liquidity, fee)
  return {
    ...next,
    amountIn: rung.amountIn + step.amountIn,
    amountOut: rung.amountOut + step.amountOut,
    ticksCrossed: rung.ticksCrossed + next.crosses,
  }
}

/** How a pool stands when a swap has come to a boundary through `liquidity`. */
function arrival(
  zeroForOne: boolean,
  { index, initialised }: Boundary,
  liquidity: bigint,
): Omit<Rung, 'amountIn' | 'amountOut' | 'ticksCrossed'> {
  if (index === outermostTick(zeroForOne)) {
    // The limit lies one unit short of the outermost tick, which is therefore never crossed.
    const sqrtPriceX96 = zeroForOne ? lowestSqrtPrice : highestSqrtPrice
    const tick = getTickAtSqrtRatio(sqrtPriceX96)
    return { boundary: index, sqrtPriceX96, tick, liquidity, crosses: 0 }
  }
  const net = initialised?.liquidityNet ?? 0n
  return {
    boundary: index,
    sqrtPriceX96: getSqrtRatioAtTick(index),
    tick: zeroForOne ? index - 1 : index,
    liquidity: zeroForOne ? liquidity - net : liquidity + net,
    crosses: initialised === undefined ? 0 : 1,
  }
}

const outermostTick = (zeroForOne: boolean): number => (zeroForOne ? minTick : maxTick)
