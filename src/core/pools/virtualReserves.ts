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

/**
 * The liquidity of a pool by price range, in floating point. Range i lies between the prices i and i + 1. About 14
 * digits are correct, which is enough to choose a route.
 */
export type LiquidityRanges = Readonly<{
  /** √(currency1 ÷ currency0) in raw units, ascending. */
  sqrtPrices: Float64Array
  /** One entry fewer than `sqrtPrices`. */
  liquidities: Float64Array
}>

/** The properties of a pool that swaps do not change. */
export type PoolShape = Readonly<{
  /** `undefined` for a constant product. */
  ranges: LiquidityRanges | undefined
  /** 1 − fee. */
  feeFactor: number
  /** 1 − fee if currency1 is the input; absent if both directions have the same fee. */
  feeFactorOfCurrency1?: number
  /** Gas units of a hop, without crossed ticks. */
  hopGas: number
  /** Whether the fee of a swap joins the reserves before the next swap. */
  feeJoins: boolean
  /** Whether the ends of ranges are ticks, which cost gas. */
  hasTicks: boolean
}>

/** Marks an edge that can pay nothing. */
export function closeEdge(reserves: VirtualReserves, offset: number): void {
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
  if (start === undefined || ranges?.liquidities[next] === undefined) closeEdge(reserves, offset)
  else enterRange(reserves, offset, shape, zeroForOne, next, start)
}

/**
 * A range with liquidity L at the square root price s has virtual reserves of L ÷ s of currency0 and
 * L × s of currency1 (Uniswap v3 whitepaper, section 6.2).
 */
export function enterRange(
  reserves: VirtualReserves,
  offset: number,
  { ranges, feeFactor: feeFactor0, feeFactorOfCurrency1 = feeFactor0 }: PoolShape,
  zeroForOne: boolean,
  number: number,
  sqrtPrice: number,
): void {
  const feeFactor = zeroForOne ? feeFactor0 : feeFactorOfCurrency1
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
