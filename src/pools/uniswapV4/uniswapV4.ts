import { tickPools } from '#src/pools/concentrated/concentrated.ts'
import { liquidityRangesOf } from '#src/pools/concentrated/liquidityRanges.ts'
import { swapThroughTicks } from '#src/pools/concentrated/swapConcentrated.ts'
import type { PoolKind } from '#src/pools/poolKind.ts'
import { swapFeeOf, type UniswapV4Pool } from './uniswapV4Pool.ts'

/** The pool is one of a manager. @source Swapper.sol */
const managedFlag = 8
/** Its currency0 is the native currency. */
const nativeFlag = 16
/** The hop takes or gives that itself. */
const unwrappedFlag = 32

/** The manager keeps what it is owed and owes as int128, and reverts beyond. @source v4-core BalanceDelta, SafeCast.toInt128 */
const maxCounted = 2n ** 127n - 1n

/** With a fee of the protocol, which takes 5,300. */
const hopGas = 81_000n
/** Of the native currency, which the router unwraps for the hop or wraps after it. */
const nativeHopGas = 89_000n
/** Of the native currency itself. */
const saleGas = 75_000n
const purchaseGas = 79_000n

export const uniswapV4: PoolKind<UniswapV4Pool> = {
  ...tickPools,
  // As in v3, but for a fee by direction and a limit of both amounts. @source v4-core Pool.swap
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
