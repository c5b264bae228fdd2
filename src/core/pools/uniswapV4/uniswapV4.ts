import { tickPools } from '#src/core/pools/concentrated/concentrated.ts'
import { liquidityRangesOf } from '#src/core/pools/concentrated/liquidityRanges.ts'
import { swapThroughTicks } from '#src/core/pools/concentrated/swapConcentrated.ts'
import type { PoolKind } from '#src/core/pools/poolKind.ts'
import { swapFeeOf, type UniswapV4Pool } from './uniswapV4Pool.ts'

/** The pool belongs to a pool manager. @source Swapper.sol */
const managedFlag = 8
/** The currency0 of the pool is the native currency. */
const nativeFlag = 16
/** The hop takes or gives the native currency itself. */
const unwrappedFlag = 32

/**
 * The manager stores balance changes as int128 and reverts if one does not fit.
 * @source v4-core BalanceDelta, SafeCast.toInt128
 */
const maxCounted = 2n ** 127n - 1n

/** With a protocol fee, which takes 5,300 of it. */
const hopGas = 81_000n
/** In a pool of the native currency, which the router unwraps before the hop or wraps after it. */
const nativeHopGas = 89_000n
/** Hops that take (sale) or give (purchase) the native currency itself. */
const saleGas = 75_000n
const purchaseGas = 79_000n

export const uniswapV4: PoolKind<UniswapV4Pool> = {
  ...tickPools,
  // As in v3, except for a fee by direction and a limit on both amounts. @source v4-core Pool.swap
  swap(pool, zeroForOne, mode, amount) {
    const swapped = swapThroughTicks(pool, swapFeeOf(pool, zeroForOne), zeroForOne, mode, amount)
    if (swapped === undefined) return undefined
    const { amountIn, amountOut } = swapped
    return amountIn > maxCounted || amountOut > maxCounted ? undefined : swapped
  },
  feeOf: swapFeeOf,
  hopFlags: managedFlag,
  furtherFlags: nativeFlag | unwrappedFlag,
  hopDetails: ({ tickSpacing, hasNative }) => ({
    flags: hasNative ? nativeFlag : 0,
    tail: `0x${tickSpacing.toString(16).padStart(6, '0')}`,
  }),
  hopGas: ({ hasNative }) => (hasNative ? nativeHopGas : hopGas),
  unwrappedGas: (zeroForOne) => (zeroForOne ? saleGas : purchaseGas),
  minHopGas: saleGas,
  shape: (pool) => ({
    ranges: liquidityRangesOf(pool.ticks).ranges,
    feeFactor: 1 - swapFeeOf(pool, true) / 1_000_000,
    feeFactorOfCurrency1: 1 - swapFeeOf(pool, false) / 1_000_000,
    hopGas: Number(pool.hasNative ? nativeHopGas : hopGas),
    feeJoins: false,
    hasTicks: true,
  }),
}
