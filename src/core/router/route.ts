import type { Pool } from '#src/core/pools/pool.ts'
import type { Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'

/** One pool in a path. */
export type Hop = Readonly<{
  /** State before this hop, after every earlier hop of the route through the same pool. */
  pool: Pool
  /** Whether currency0 is the input. */
  zeroForOne: boolean
  amountIn: Amount
  amountOut: Amount
  /** Initialised ticks crossed. */
  ticksCrossed: number
}>

/**
 * Consecutive hops: the output of each is the input of the next. In a route for an exact output, the last hop takes only
 * the input it needs, which can be slightly less than the previous hop gives.
 */
export type Path = Readonly<{ amountIn: Amount; amountOut: Amount; hops: readonly Hop[] }>

/** The swap of one leg. Its paths are executed in order. Amounts are exact if nobody else trades in between. */
export type Route = Readonly<{
  /** ERC-20 addresses: the wrapped currency stands for the native one. */
  input: Address
  output: Address
  /** Sum over the paths, like `amountOut`. */
  amountIn: Amount
  amountOut: Amount
  paths: readonly Path[]
}>
