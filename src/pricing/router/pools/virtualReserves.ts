import type { Pool } from '#src/pools/pool.ts'
import { type LiquidityRanges, liquidityRangesOf, rangeAt } from './liquidityRanges.ts'

/**
 * The state of every edge in floating point, four numbers per edge:
 * - reserveIn and reserveOut: reserves of a constant product that gives the same output until the liquidity changes.
 *   reserveIn is divided by 1 − fee, so that the formula needs no fee: an input `in` buys
 *   reserveOut × in ÷ (reserveIn + in), and the first unit buys reserveOut ÷ reserveIn.
 * - capacity: the input, fee included, that fits before the liquidity changes, or before the reserve of a
 *   constant-product pair exceeds 112 bits.
 * - range: the index of the current range of a concentrated pool (see `LiquidityRanges`).
 *
 * An edge that can pay nothing has reserveOut 0 and infinite capacity.
 */
export type VirtualReserves = Float64Array

export const edgeSize = 4
export const reserveIn = 0
export const reserveOut = 1
export const capacity = 2
export const range = 3

/** The properties of a pool that swaps do not change. */
export type PoolShape = Readonly<{
  /** `undefined` for a constant product. */
  ranges: LiquidityRanges | undefined
  /** 1 − fee. */
  feeFactor: number
}>

export const shapeOf = (pool: Pool): PoolShape => ({
  ranges: pool.kind === 'concentrated' ? liquidityRangesOf(pool.ticks) : undefined,
  feeFactor: 1 - pool.fee / 1_000_000,
})

/** Writes the state of `pool` into `reserves` at `offset`. */
export function writeReserves(
  reserves: VirtualReserves,
  offset: number,
  pool: Pool,
  shape: PoolShape,
  zeroForOne: boolean,
): void {
  close(reserves, offset)
  switch (pool.kind) {
    case 'constantProduct': {
      const [paid, bought] = zeroForOne
        ? [pool.reserve0, pool.reserve1]
        : [pool.reserve1, pool.reserve0]
      // Every output of a reserve of one unit is rounded down to nothing.
      if (paid === 0n || bought <= 1n) return
      reserves[offset + reserveIn] = Number(paid) / shape.feeFactor
      reserves[offset + reserveOut] = Number(bought)
      reserves[offset + capacity] = 2 ** 112 - Number(paid)
      return
    }
    case 'concentrated': {
      if (shape.ranges === undefined || pool.sqrtPriceX96 === 0n) return
      const current = rangeAt(shape.ranges, pool.tick)
      const sqrtPrice = Number(pool.sqrtPriceX96) / 2 ** 96
      enterRange(reserves, offset, shape, zeroForOne, current, sqrtPrice)
      if (reserves[offset + capacity] === 0) enterNextRange(reserves, offset, shape, zeroForOne)
    }
  }
}

/** Marks an edge that can pay nothing. */
function close(reserves: VirtualReserves, offset: number): void {
  reserves[offset + reserveIn] = 1
  reserves[offset + reserveOut] = 0
  reserves[offset + capacity] = Number.POSITIVE_INFINITY
  reserves[offset + range] = -1
}

/** Moves from the end of a range to the start of the next range with liquidity. Closes the edge if there is none. */
export function enterNextRange(
  reserves: VirtualReserves,
  offset: number,
  shape: PoolShape,
  zeroForOne: boolean,
): void {
  const { ranges } = shape
  let next = reserves[offset + range] as number
  do next += zeroForOne ? -1 : 1
  while (ranges?.liquidities[next] === 0)
  const start = ranges?.sqrtPrices[zeroForOne ? next + 1 : next]
  if (start === undefined || ranges?.liquidities[next] === undefined) close(reserves, offset)
  else enterRange(reserves, offset, shape, zeroForOne, next, start)
}

/**
 * A range with liquidity L at the square root price s has virtual reserves of L ÷ s of currency0 and
 * L × s of currency1 (Uniswap v3 whitepaper, section 6.2).
 */
function enterRange(
  reserves: VirtualReserves,
  offset: number,
  { ranges, feeFactor }: PoolShape,
  zeroForOne: boolean,
  number: number,
  sqrtPrice: number,
): void {
  const liquidity = ranges?.liquidities[number] ?? 0
  const end = ranges?.sqrtPrices[zeroForOne ? number : number + 1] ?? sqrtPrice
  const reserve0 = liquidity / sqrtPrice
  const reserve1 = liquidity * sqrtPrice
  const capacityIn = zeroForOne ? liquidity / end - reserve0 : liquidity * end - reserve1
  reserves[offset + reserveIn] = (zeroForOne ? reserve0 : reserve1) / feeFactor
  reserves[offset + reserveOut] = zeroForOne ? reserve1 : reserve0
  reserves[offset + capacity] = Math.max(0, capacityIn / feeFactor)
  reserves[offset + range] = number
}
