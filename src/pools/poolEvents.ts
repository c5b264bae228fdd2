import { changeLiquidity } from './concentrated/tickMap.ts'
import type { ConcentratedPool, ConstantProductPool } from './pool.ts'

/** A decoded event of a Uniswap v2 pair with its whole state. */
export type ConstantProductEvent = Readonly<{
  eventName: 'Sync'
  args: Readonly<{ reserve0: bigint; reserve1: bigint }>
}>

type Position = Readonly<{ tickLower: number; tickUpper: number; amount: bigint }>

/** A decoded event of a Uniswap v3 pool that changes the result of swaps. */
export type ConcentratedEvent =
  | Readonly<{ eventName: 'Initialize'; args: Readonly<{ sqrtPriceX96: bigint; tick: number }> }>
  | Readonly<{
      eventName: 'Swap'
      args: Readonly<{ sqrtPriceX96: bigint; liquidity: bigint; tick: number }>
    }>
  | Readonly<{ eventName: 'Mint' | 'Burn'; args: Position }>

/** The pair after the event. */
export const applyConstantProductEvent = (
  pool: ConstantProductPool,
  { args: { reserve0, reserve1 } }: ConstantProductEvent,
): ConstantProductPool => ({ ...pool, reserve0, reserve1 })

/**
 * The pool after the event. The tick is taken from the event: after a fall that ends exactly at a tick it is one less
 * than the tick of the price.
 * @throws RangeError for a Burn of liquidity that the pool does not have, which means that an event was missed.
 */
export function applyConcentratedEvent(
  pool: ConcentratedPool,
  event: ConcentratedEvent,
): ConcentratedPool {
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

/** @source v3-core UniswapV3Pool._modifyPosition */
function addLiquidity(
  pool: ConcentratedPool,
  { tickLower, tickUpper }: Position,
  added: bigint,
): ConcentratedPool {
  // Collecting fees emits a Burn of 0. The same pool object keeps its memos.
  if (added === 0n) return pool
  const isInRange = tickLower <= pool.tick && pool.tick < tickUpper
  return {
    ...pool,
    liquidity: isInRange ? pool.liquidity + added : pool.liquidity,
    ticks: changeLiquidity(pool.ticks, { tickLower, tickUpper }, added),
  }
}
