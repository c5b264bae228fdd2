import { kindOf } from '#src/pools/kindOf.ts'
import type { Route } from './route.ts'

/**
 * Gas units, measured on anvil with our router on Uniswap v2 and v3 pools of the devnet, and rounded up to the most
 * expensive measured route. The tick gas is for a pool whose storage is cold. What a hop takes is told by the kind of its pool.
 */
export const pathGas = 2_000n
export const tickGas = 40_000n
/** What a further hop adds to the transaction around the swaps: its calldata and the check of one more currency. */
export const hopOverhead = 4_300n

/** By which the router compares routes: the gas of their swaps, and what their hops add to the transaction. */
export const comparedGas = (route: Route): bigint =>
  route.paths.reduce((sum, { hops }) => sum + hopOverhead * BigInt(hops.length), routeGas(route))

/** Gas units of the swaps of a route, without the transaction around them. */
export const routeGas = (route: Route): bigint =>
  route.paths.reduce(
    (sum, path) => path.hops.reduce((gas, hop) => gas + gasOfHop(hop), sum + pathGas),
    0n,
  )

const gasOfHop = ({ pool, ticksCrossed }: Route['paths'][number]['hops'][number]): bigint =>
  kindOf(pool).hopGas(pool) + BigInt(ticksCrossed) * tickGas
