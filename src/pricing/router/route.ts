import type { Pool } from '#src/pools/pool.ts'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'

/** One pool in a path. */
export type Hop = Readonly<{
  /** As it stood before this hop: after every earlier hop of the route that went through it. */
  pool: Pool
  /** Whether currency0 is paid in. */
  zeroForOne: boolean
  amountIn: Amount
  amountOut: Amount
  /** Initialised ticks crossed. */
  ticksCrossed: number
}>

/**
 * Hops one after the other, each paid with what the one before gave. Where the route is for an exact output, the
 * last hop takes in just what that needs, which may be a trifle less than the one before gave.
 */
export type Path = Readonly<{ amountIn: Amount; amountOut: Amount; hops: readonly Hop[] }>

/** The swap of one leg: paths executed in their order, amounts exact when nothing trades between. */
export type Route = Readonly<{
  /** ERC-20 addresses: a native currency stands as its wrapped one. */
  input: Address
  output: Address
  /** Sums over the paths. */
  amountIn: Amount
  amountOut: Amount
  paths: readonly Path[]
}>
