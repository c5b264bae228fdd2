import type { PoolIdentity } from '#src/core/pools/poolKind.ts'
import { changeLiquidity, type TickMap } from './tickMap.ts'

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

type Position = Readonly<{ tickLower: number; tickUpper: number; amount: bigint }>

/** A decoded event of a Uniswap v3 pool that changes the result of swaps. */
export type ConcentratedEvent =
  | Readonly<{ eventName: 'Initialize'; args: Readonly<{ sqrtPriceX96: bigint; tick: number }> }>
  | Readonly<{
      eventName: 'Swap'
      args: Readonly<{ sqrtPriceX96: bigint; liquidity: bigint; tick: number }>
    }>
  | Readonly<{ eventName: 'Mint' | 'Burn'; args: Position }>

/**
 * The pool after the event. The tick is taken from the event: after a fall that ends exactly at a tick it is one less
 * than the tick of the price.
 * @throws RangeError for a Burn of liquidity that the pool does not have, which means that an event was missed.
 */
export function applyConcentratedEvent<State extends TickState>(
  pool: State,
  event: ConcentratedEvent,
): State {
  switch (event.eventName) {
    case 'Initialize': {
      const { sqrtPriceX96, tick } = event.args
      return { ...pool, sqrtPriceX96, tick }
    }
    case 'Swap': {
      const { sqrtPriceX96, liquidity, tick } = event.args
      return { ...pool, sqrtPriceX96, liquidity, tick }
    }
    case 'Mint':
      return addLiquidity(pool, event.args, event.args.amount)
    case 'Burn':
      return addLiquidity(pool, event.args, -event.args.amount)
  }
}

/**
 * The pool after liquidity is added to the range of a position, or removed if negative.
 * @throws RangeError if more is removed than is there
 * @source v3-core UniswapV3Pool._modifyPosition
 */
export function addLiquidity<State extends TickState>(
  pool: State,
  { tickLower, tickUpper }: Readonly<{ tickLower: number; tickUpper: number }>,
  added: bigint,
): State {
  // Collecting fees emits an event without liquidity. The same pool object keeps its memos.
  if (added === 0n) return pool
  const isInRange = tickLower <= pool.tick && pool.tick < tickUpper
  return {
    ...pool,
    liquidity: isInRange ? pool.liquidity + added : pool.liquidity,
    ticks: changeLiquidity(pool.ticks, { tickLower, tickUpper }, added),
  }
}
