import { kindOf, type Pool } from '#src/core/pools/pool.ts'
import type { Account } from '#src/core/units/address.ts'
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
 * Consecutive hops: the output of each is the input of the next. In a route for an exact output, the last hop takes
 * only the input it needs, which can be slightly less than the previous hop gives.
 */
export type Path = Readonly<{ amountIn: Amount; amountOut: Amount; hops: readonly Hop[] }>

/** The swap of one leg. Its paths are executed in order. Amounts are exact if nobody else trades in between. */
export type Route = Readonly<{
  /** ERC-20 addresses: the wrapped currency stands for the native one. */
  input: Account
  output: Account
  /** Sum over the paths, like `amountOut`. */
  amountIn: Amount
  amountOut: Amount
  paths: readonly Path[]
}>

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

/** Whether a conversion starts and whether it ends with the native currency itself. */
export type NativeEnds = Readonly<{ isNativeIn: boolean; isNativeOut: boolean }>

/**
 * Whether each hop of a path takes or gives the native currency itself. A pool of the native currency does so at an end
 * of the path that is native, and next to another such pool. Around all other hops the router wraps or unwraps.
 */
export function unwrappedHops(
  hops: readonly Hop[],
  { isNativeIn, isNativeOut }: NativeEnds,
): readonly boolean[] {
  return hops.map((hop, at) => {
    if (!hop.pool.hasNative) return false
    if (takesNative(hop)) return at === 0 ? isNativeIn : givesNative(hops[at - 1])
    return at === hops.length - 1 ? isNativeOut : takesNative(hops[at + 1])
  })
}

// The native currency is a pool's currency0.
const takesNative = (hop: Hop | undefined): boolean =>
  hop?.pool.hasNative === true && hop.zeroForOne
const givesNative = (hop: Hop | undefined): boolean =>
  hop?.pool.hasNative === true && !hop.zeroForOne

const beginsUnwrapped = ({ hops }: Path): boolean => takesNative(hops[0])
const endsUnwrapped = ({ hops }: Path): boolean => givesNative(hops.at(-1))

/** The part of the native input that the paths take wrapped, in wei. */
export const wrappedInput = ({ paths }: Route): bigint =>
  paths.reduce((sum, path) => (beginsUnwrapped(path) ? sum : sum + path.amountIn), 0n)

/** Whether a path gives the native output wrapped. */
export const hasWrappedOutput = ({ paths }: Route): boolean =>
  paths.some((path) => !endsUnwrapped(path))
