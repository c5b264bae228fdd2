import type { Amount } from '#src/core/units/amount.ts'

/** One swap in one pool, with the pool after it. */
export type SwapOf<State> = Readonly<{
  amountIn: Amount
  amountOut: Amount
  /** Initialised ticks crossed, each of which costs gas; 0 for pools without ticks. */
  ticksCrossed: number
  next: State
}>

/** Which amount of a swap is given; the other one follows from it. */
export type SwapMode = 'exactInput' | 'exactOutput'

/** The name of the given amount in a swap, a path or a route. */
export const givenAmount = {
  exactInput: 'amountIn',
  exactOutput: 'amountOut',
} as const satisfies Record<SwapMode, keyof SwapOf<unknown>>
