import type { Hop, Path, Route } from './route.ts'

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
