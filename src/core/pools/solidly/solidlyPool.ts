import type { PoolIdentity } from '#src/core/pools/poolIdentity.ts'

/**
 * Volatile pools (x × y = k) and stable pools (x³y + xy³ = k) of Velodrome v2, Aerodrome and their forks. The fee is a
 * whole number of basis points and leaves the pool with each swap.
 */
export type SolidlyPool = PoolIdentity &
  Readonly<{
    kind: 'solidly'
    stable: boolean
    /** Raw units of a whole currency: 10 to the power of its decimals. */
    unit0: bigint
    unit1: bigint
    reserve0: bigint
    reserve1: bigint
    /** The factory can stop the swaps of all its pools. */
    isPaused: boolean
  }>
