import type { Hop, Path, Route } from './route.ts'

/** Where a conversion has the native currency itself: before its first hops, and after its last ones. */
export type NativeEnds = Readonly<{ isNativeIn: boolean; isNativeOut: boolean }>

/**
 * Whether each hop of a path takes or gives the native currency itself. A pool of the native currency does so where the
 * path begins or ends with it, or where its neighbour is such a pool too. Around all others the router wraps or unwraps.
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

/** What of the native input its paths take wrapped, in wei. */
export const wrappedInput = ({ paths }: Route): bigint =>
  paths.reduce((sum, path) => (beginsUnwrapped(path) ? sum : sum + path.amountIn), 0n)

/** Whether a path gives the native output wrapped. */
export const hasWrappedOutput = ({ paths }: Route): boolean =>
  paths.some((path) => !endsUnwrapped(path))
