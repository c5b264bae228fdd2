import type { Pool } from '#src/pools/pool.ts'
import { type Ranges, rangeAt, rangesOf } from './liquidityRanges.ts'

/**
 * What a swap meets in each edge, four numbers an edge:
 * - reserveIn and reserveOut of a constant product that trades alike until the liquidity changes.
 *   reserveIn is divided by 1 − fee, which does away with the fee: `in` buys
 *   reserveOut × in ÷ (reserveIn + in), and the first unit buys reserveOut ÷ reserveIn.
 * - room: the input, fee included, that fits in before the liquidity changes, or before a pair's reserve
 *   outgrows its 112 bits.
 * - range: the number of the range (see `Ranges`) that a concentrated pool is in.
 *
 * An edge that can pay nothing has no reserveOut and endless room.
 */
export type Depths = Float64Array

export const depthSize = 4
export const reserveIn = 0
export const reserveOut = 1
export const room = 2
export const range = 3

/** What the walk through a pool's ranges needs to know of the pool. */
export type PoolShape = Readonly<{
  /** Undefined for a constant product. */
  ranges: Ranges | undefined
  /** 1 − fee. */
  kept: number
}>

export const shapeOf = (pool: Pool): PoolShape => ({
  ranges: pool.kind === 'concentrated' ? rangesOf(pool.ticks) : undefined,
  kept: 1 - pool.fee / 1_000_000,
})

/** Writes how `pool` stands into the depth at `offset`. */
export function readDepth(
  depths: Depths,
  offset: number,
  pool: Pool,
  shape: PoolShape,
  zeroForOne: boolean,
): void {
  close(depths, offset)
  switch (pool.kind) {
    case 'constantProduct': {
      const [paid, bought] = zeroForOne
        ? [pool.reserve0, pool.reserve1]
        : [pool.reserve1, pool.reserve0]
      if (paid === 0n || bought === 0n) return
      depths[offset + reserveIn] = Number(paid) / shape.kept
      depths[offset + reserveOut] = Number(bought)
      depths[offset + room] = 2 ** 112 - Number(paid)
      return
    }
    case 'concentrated': {
      if (shape.ranges === undefined || pool.sqrtPriceX96 === 0n) return
      const current = rangeAt(shape.ranges, pool.tick)
      const sqrtPrice = Number(pool.sqrtPriceX96) / 2 ** 96
      enterRange(depths, offset, shape, zeroForOne, current, sqrtPrice)
      if (depths[offset + room] === 0) enterNextRange(depths, offset, shape, zeroForOne)
    }
  }
}

/** Leaves an edge that can pay nothing (any more). */
function close(depths: Depths, offset: number): void {
  depths[offset + reserveIn] = 1
  depths[offset + reserveOut] = 0
  depths[offset + room] = Number.POSITIVE_INFINITY
  depths[offset + range] = -1
}

/** Goes on from the end of a range to the next one with liquidity, if there is one. */
export function enterNextRange(
  depths: Depths,
  offset: number,
  shape: PoolShape,
  zeroForOne: boolean,
): void {
  const { ranges } = shape
  let next = depths[offset + range] as number
  do next += zeroForOne ? -1 : 1
  while (ranges?.liquidities[next] === 0)
  const start = ranges?.sqrtPrices[zeroForOne ? next + 1 : next]
  if (start === undefined || ranges?.liquidities[next] === undefined) close(depths, offset)
  else enterRange(depths, offset, shape, zeroForOne, next, start)
}

/**
 * In range i with liquidity L at a price whose square root is s, reserves act as if they were L ÷ s of
 * currency0 and L × s of currency1 (Uniswap v3 whitepaper, 6.2).
 */
function enterRange(
  depths: Depths,
  offset: number,
  { ranges, kept }: PoolShape,
  zeroForOne: boolean,
  number: number,
  sqrtPrice: number,
): void {
  const liquidity = ranges?.liquidities[number] ?? 0
  const end = ranges?.sqrtPrices[zeroForOne ? number : number + 1] ?? sqrtPrice
  const reserve0 = liquidity / sqrtPrice
  const reserve1 = liquidity * sqrtPrice
  const fits = zeroForOne ? liquidity / end - reserve0 : liquidity * end - reserve1
  depths[offset + reserveIn] = (zeroForOne ? reserve0 : reserve1) / kept
  depths[offset + reserveOut] = zeroForOne ? reserve1 : reserve0
  depths[offset + room] = Math.max(0, fits / kept)
  depths[offset + range] = number
}
