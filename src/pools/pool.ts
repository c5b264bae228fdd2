import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Pips } from '#src/units/pips.ts'
import type { TickMap } from './tickMap.ts'

type PoolIdentity = Readonly<{
  chainId: ChainId
  address: Address
  /** The swap source it belongs to, such as `uniswap-v3`: a name from the configuration. */
  source: string
  /** ERC-20 addresses in ascending order, as in the contracts. */
  currency0: Address
  currency1: Address
  /** Taken from what is paid in. */
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
    /** In range at the current price. */
    liquidity: bigint
    ticks: TickMap
  }>

/** A pool's whole state at one block, as far as swaps can tell. */
export type Pool = ConstantProductPool | ConcentratedPool

/** One swap in one pool, and the pool it leaves behind. */
export type PoolSwap = Readonly<{
  amountIn: Amount
  amountOut: Amount
  /** Initialised ticks crossed, each of which costs gas; 0 for constant product. */
  ticksCrossed: number
  next: Pool
}>

/** The side of a swap whose amount is given: exact input or exact output. */
export type Side = 'amountIn' | 'amountOut'
