import type { Amount } from '#src/units/amount.ts'
import type { Pips } from '#src/units/pips.ts'
import type { SpotPrice } from './orientedPrice.ts'
import type { SwapMode, SwapOf } from './swapMode.ts'
import type { PoolShape, VirtualReserves } from './virtualReserves.ts'

/** The pure part of a pool kind: what its pools with a state of type `State` do. */
export type PoolKind<State> = Readonly<{
  /**
   * Swaps exactly `amount`, which is positive. The result equals the contract's, to the unit. `undefined` if the pool
   * cannot take or give all of it.
   */
  swap: (
    pool: State,
    zeroForOne: boolean,
    mode: SwapMode,
    amount: Amount,
  ) => SwapOf<State> | undefined
  /**
   * The pool after it was given all of `amountIn` for `amountOut`, which costs less. `undefined` if the contract would revert,
   * or would give less. Absent where the router gives a pool no more than an output costs, and keeps the rest.
   */
  giveAll?: (
    pool: State,
    zeroForOne: boolean,
    amountIn: Amount,
    amountOut: Amount,
  ) => State | undefined
  /** As `spotPrice` of any pool. */
  spotPrice: (pool: State, zeroForOne: boolean) => SpotPrice | undefined
  /** Rounded down. Zeros for a pool without liquidity. */
  depth: (pool: State) => PoolDepth
  /**
   * The fee changes with time and with each swap, and a state has the one of its block. No route swaps in such a pool twice,
   * and none for an output that must be whole swaps in it: another fee would take more than its input.
   */
  hasMovingFee?: true
  /** How the router swaps in a pool: flags of a hop, without the one for the direction. @source Swapper.sol, Path.hops */
  hopFlags: number
  /** The flags that some hops have beside. */
  furtherFlags?: number
  /** What a hop tells of the pool beside: further flags, and bytes after the flags. Absent for nothing. */
  hopDetails?: (pool: State) => Readonly<{ flags: number; tail: `0x${string}` }>
  /** What a swap pays of its input, if that is not the pool's `fee`. */
  feeOf?: (pool: State, zeroForOne: boolean) => Pips
  /** Gas units of a hop through the router, without crossed ticks: as measured by `npm run bench:gas`, rounded up. */
  hopGas: (pool: State) => bigint
  /** Of a hop that takes or gives the native currency itself, if pools have it. */
  unwrappedGas?: (zeroForOne: boolean) => bigint
  /** The least that any hop takes. */
  minHopGas: bigint
  /** What swaps do not change of the pool, for the router's search. */
  shape: (pool: State) => PoolShape
  /**
   * Writes the state of one direction of the pool into `reserves` at `offset`, over the values of an edge that can pay
   * nothing. The router prunes by these: no input may buy more of the pool than it buys of the virtual reserves.
   */
  writeReserves: (
    reserves: VirtualReserves,
    offset: number,
    pool: State,
    shape: PoolShape,
    zeroForOne: boolean,
  ) => void
}>

/**
 * The amount of each currency that a pool pays out before that currency's price in the pool doubles, ignoring the fee.
 * Only liquidity near the current price counts, because liquidity far away does not defend the price.
 */
export type PoolDepth = Readonly<{ amount0: bigint; amount1: bigint }>

/** √½ times 2^96, rounded down: the square root of a price falls to it when the price halves. */
export const sqrtHalfX96 = 56022770974786139918731938227n
