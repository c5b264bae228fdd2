import { kindOf } from '#src/core/pools/kindOf.ts'
import type { Hop, Route } from './route.ts'
import { type NativeEnds, unwrappedHops } from './unwrappedHops.ts'

/**
 * Gas units, measured on anvil with our router on Uniswap v2 and v3 pools of the devnet, and rounded up to the most
 * expensive measured route. The tick gas is for a pool whose storage is cold. `PoolKind.hopGas` has the gas of a hop.
 */
export const pathGas = 2_000n
export const tickGas = 40_000n
/**
 * Gas that each hop adds to the transaction around the swaps: its calldata and the check of one currency for leftovers.
 */
export const hopOverhead = 4_300n

/** The gas by which the router compares routes: the gas of their swaps and the overhead of their hops. */
export const comparedGas = (route: Route): bigint =>
  route.paths.reduce(
    (sum, { hops }) => sum + hopOverhead * BigInt(hops.length),
    routeGas(route, { isNativeIn: false, isNativeOut: false }),
  )

/** Gas units of the swaps of a route, without the transaction around them. */
export const routeGas = ({ paths }: Route, ends: NativeEnds): bigint =>
  paths.reduce((sum, { hops }) => {
    const unwrapped = unwrappedHops(hops, ends)
    return hops.reduce((gas, hop, at) => gas + gasOfHop(hop, unwrapped[at]), sum + pathGas)
  }, 0n)

function gasOfHop(
  { pool, zeroForOne, ticksCrossed }: Hop,
  isUnwrapped: boolean | undefined,
): bigint {
  const { hopGas, unwrappedGas } = kindOf(pool)
  const gas = (isUnwrapped ? unwrappedGas?.(zeroForOne) : undefined) ?? hopGas(pool)
  return gas + BigInt(ticksCrossed) * tickGas
}
