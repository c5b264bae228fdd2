import type { PoolIdentity } from '#src/core/pools/poolIdentity.ts'
import type { TickMap } from './tickMap.ts'

/** Liquidity by price range. */
export type TickState = Readonly<{
  tickSpacing: number
  /** √(currency1 ÷ currency0) in raw units, times 2^96; 0 before the pool is initialised. */
  sqrtPriceX96: bigint
  /** The contract's `slot0.tick`. */
  tick: number
  /** The liquidity in range at the current price. */
  liquidity: bigint
  ticks: TickMap
}>

/** Uniswap v3 and its forks. */
export type ConcentratedPool = PoolIdentity & TickState & Readonly<{ kind: 'concentrated' }>
