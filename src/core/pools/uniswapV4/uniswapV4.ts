import { liquidityRangesOf, tickPools } from '#src/core/pools/concentrated/concentrated.ts'
import { addLiquidity, type TickState } from '#src/core/pools/concentrated/concentratedPool.ts'
import { swapThroughTicks } from '#src/core/pools/concentrated/swapConcentrated.ts'
import type { ManagedPoolId, PoolIdentity, PoolKind } from '#src/core/pools/poolKind.ts'
import { type Pips, toPips } from '#src/core/units/pips.ts'

/** The fee of the protocol on the input, by direction. It is charged before the fee of the liquidity providers. */
export type ProtocolFees = Readonly<{ zeroForOne: Pips; oneForZero: Pips }>

/**
 * A pool of a Uniswap v4 manager, without hooks and with a static fee. Its `address` is the manager. Its `fee` is the
 * fee of the liquidity providers alone.
 */
export type UniswapV4Pool = PoolIdentity &
  TickState &
  Readonly<{ kind: 'uniswapV4'; id: ManagedPoolId; protocolFees: ProtocolFees }>

/** @source v4-core ProtocolFeeLibrary.MAX_PROTOCOL_FEE */
const maxProtocolFee = 1_000

/**
 * Unpacks 24 bits: the lower twelve are the fee if currency0 is the input.
 * @throws RangeError for a fee above 1,000 pips, which the manager does not accept
 * @source v4-core ProtocolFeeLibrary
 */
export function toProtocolFees(packed: number): ProtocolFees {
  const [zeroForOne, oneForZero] = [packed & 0xfff, packed >> 12]
  if (zeroForOne > maxProtocolFee || oneForZero > maxProtocolFee)
    throw new RangeError(`A protocol fee is at most ${maxProtocolFee} pips`)
  return { zeroForOne: toPips(zeroForOne), oneForZero: toPips(oneForZero) }
}

/**
 * The total fee on the input of a swap, rounded up: the protocol's fee first, then the fee of the liquidity providers
 * on the rest.
 * @source v4-core ProtocolFeeLibrary.calculateSwapFee
 */
export function swapFeeOf(
  { fee, protocolFees }: Pick<UniswapV4Pool, 'fee' | 'protocolFees'>,
  zeroForOne: boolean,
): Pips {
  const protocolFee = zeroForOne ? protocolFees.zeroForOne : protocolFees.oneForZero
  return toPips(protocolFee + fee - Math.floor((protocolFee * fee) / 1_000_000))
}

/** A decoded event of a manager that changes the result of a pool's swaps. */
export type UniswapV4Event =
  | Readonly<{
      eventName: 'Swap'
      args: Readonly<{ sqrtPriceX96: bigint; liquidity: bigint; tick: number }>
    }>
  | Readonly<{
      eventName: 'ModifyLiquidity'
      args: Readonly<{ tickLower: number; tickUpper: number; liquidityDelta: bigint }>
    }>
  | Readonly<{ eventName: 'ProtocolFeeUpdated'; args: Readonly<{ protocolFee: number }> }>

/**
 * The pool after the event.
 * @throws RangeError if more liquidity is removed than the pool has, which means that an event was missed.
 */
export function applyUniswapV4Event(pool: UniswapV4Pool, event: UniswapV4Event): UniswapV4Pool {
  switch (event.eventName) {
    case 'Swap': {
      const { sqrtPriceX96, liquidity, tick } = event.args
      return { ...pool, sqrtPriceX96, liquidity, tick }
    }
    case 'ModifyLiquidity':
      return addLiquidity(pool, event.args, event.args.liquidityDelta)
    case 'ProtocolFeeUpdated':
      return { ...pool, protocolFees: toProtocolFees(event.args.protocolFee) }
  }
}

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
