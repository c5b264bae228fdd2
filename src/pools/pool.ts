import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Pips } from '#src/units/pips.ts'
import type { TickMap } from './concentrated/tickMap.ts'

type PoolIdentity = Readonly<{
  chainId: ChainId
  address: Address
  /** Name of its swap source in the configuration, such as `uniswap-v3`. */
  source: string
  /** ERC-20 addresses in ascending order, as in the contracts. */
  currency0: Address
  currency1: Address
  /** Taken from the input. */
  fee: Pips
}>

/** x × y = k: Uniswap v2 and its forks. */
export type ConstantProductPool = PoolIdentity &
  Readonly<{ kind: 'constantProduct'; reserve0: bigint; reserve1: bigint }>

/** Liquidity by price range: Uniswap v3 and its forks. */
export type ConcentratedPool = PoolIdentity &
  Readonly<{
    kind: 'concentrated'
    tickSpacing: number
    /** √(currency1 ÷ currency0) in raw units, times 2^96; 0 before the pool is initialised. */
    sqrtPriceX96: bigint
    /** The contract's `slot0.tick`. */
    tick: number
    /** The liquidity in range at the current price. */
    liquidity: bigint
    ticks: TickMap
  }>

/** Everything about a pool at one block that affects swaps. */
export type Pool = ConstantProductPool | ConcentratedPool

/** One swap in one pool, with the pool after it. */
export type PoolSwap = Readonly<{
  amountIn: Amount
  amountOut: Amount
  /** Initialised ticks crossed, each of which costs gas; 0 for constant product. */
  ticksCrossed: number
  next: Pool
}>

/** Which amount of a swap is given; the other one follows from it. */
export type SwapMode = 'exactInput' | 'exactOutput'

/** The name of the given amount in a swap, a path or a route. */
export const givenAmount = {
  exactInput: 'amountIn',
  exactOutput: 'amountOut',
} as const satisfies Record<SwapMode, keyof PoolSwap>
