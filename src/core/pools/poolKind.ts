import type { Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { Branded } from '#src/core/units/brand.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Pips } from '#src/core/units/pips.ts'
import type { PoolShape, VirtualReserves } from './virtualReserves.ts'

/** The 32 bytes by which a pool manager identifies one of its pools. */
export type ManagedPoolId = Branded<`0x${string}`, 'ManagedPoolId'>

/** The unique id of a pool on its chain: its address, or its id in its manager. */
export type PoolId = Address | ManagedPoolId

export const poolIdOf = ({ id, address }: Pick<PoolIdentity, 'id' | 'address'>): PoolId =>
  id ?? address

/** @throws RangeError unless it is 0x and 64 hexadecimal digits. */
export function toManagedPoolId(text: string): ManagedPoolId {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new RangeError('The id of a pool has 32 bytes')
  return text.toLowerCase() as ManagedPoolId
}

/** The properties of every pool, whatever its kind. */
export type PoolIdentity = Readonly<{
  chainId: ChainId
  /** The contract that swaps and emits the events: the pool itself, or its manager. */
  address: Address
  /** Present for a pool of a manager. */
  id?: ManagedPoolId
  /** Name of its swap source in the configuration, such as `uniswap-v3`. */
  source: string
  /** ERC-20 addresses, in the order of the contracts. */
  currency0: Address
  currency1: Address
  /** Set if the contract's currency0 is the native currency; `currency0` is then the wrapped one. */
  hasNative?: true
  /** Charged on the input. */
  fee: Pips
}>

/** One swap in one pool, with the pool after it. */
export type SwapOf<State> = Readonly<{
  amountIn: Amount
  amountOut: Amount
  /** Initialised ticks crossed, each of which costs gas; 0 for pools without ticks. */
  ticksCrossed: number
  next: State
}>

/** Which amount of a swap is given; the other one follows from it. */
export type SwapMode = 'exactInput' | 'exactOutput'

/** The name of the given amount in a swap, a path or a route. */
export const givenAmount = {
  exactInput: 'amountIn',
  exactOutput: 'amountOut',
} as const satisfies Record<SwapMode, keyof SwapOf<unknown>>

/** An exact ratio of raw units; both parts are positive. */
export type SpotPrice = Readonly<{ numerator: bigint; denominator: bigint }>

/** The price of `ones` of currency1 for `zeros` of currency0, as output per input. Undefined if either is 0. */
export function orientedPrice(
  ones: bigint,
  zeros: bigint,
  zeroForOne: boolean,
): SpotPrice | undefined {
  if (ones === 0n || zeros === 0n) return undefined
  return zeroForOne
    ? { numerator: ones, denominator: zeros }
    : { numerator: zeros, denominator: ones }
}

/** The pure functions and constants of a pool kind whose pools have a state of type `State`. */
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
   * The pool after a router transfers all of `amountIn`, which can be more than `amountOut` costs. `undefined` if the
   * contract would revert or give less. Absent if the router transfers only what an output costs, and keeps the rest.
   */
  giveAll?: (
    pool: State,
    zeroForOne: boolean,
    amountIn: Amount,
    amountOut: Amount,
  ) => State | undefined
  /** See `spotPrice` in pool.ts. */
  spotPrice: (pool: State, zeroForOne: boolean) => SpotPrice | undefined
  /** See `PoolDepth`; rounded down. Zeros for a pool without liquidity. */
  depth: (pool: State) => PoolDepth
  /**
   * The fee changes with time and with each swap; a pool state has the fee of its block. No route swaps in such a pool
   * twice. An exact output avoids such pools unless less may arrive, because after a change of the fee the same input
   * may buy less.
   */
  hasMovingFee?: true
  /**
   * Flags of a hop of this kind in the encoding of the router, without the flag for the direction.
   * @source Swapper.sol, Path.hops
   */
  hopFlags: number
  /** Further flags that only some hops of this kind have. */
  furtherFlags?: number
  /**
   * The part of an encoded hop that depends on the pool: further flags, and bytes after the flags. Absent if there is
   * none.
   */
  hopDetails?: (pool: State) => Readonly<{ flags: number; tail: `0x${string}` }>
  /** The total fee on the input of a swap, if it differs from the `fee` of the pool. */
  feeOf?: (pool: State, zeroForOne: boolean) => Pips
  /** Gas units of a hop through the router, without crossed ticks: measured by `npm run bench:gas`, rounded up. */
  hopGas: (pool: State) => bigint
  /** Gas units of a hop that takes or gives the native currency itself. Absent if no pool of this kind does. */
  unwrappedGas?: (zeroForOne: boolean) => bigint
  /** Gas units of the cheapest hop. */
  minHopGas: bigint
  /** The properties of the pool that swaps do not change, for the search of the router. */
  shape: (pool: State) => PoolShape
  /**
   * Writes the state of one direction of the pool into `reserves` at `offset`, where the edge is closed before. The
   * router prunes by the virtual reserves: no input may buy more of the pool than of them.
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
