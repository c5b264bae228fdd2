import type { ConcentratedPool } from '#src/core/pools/concentrated/concentratedPool.ts'
import {
  changeLiquidity,
  getSqrtRatioAtTick,
  liquidityAt,
  ticksOf,
} from '#src/core/pools/concentrated/tickMap.ts'
import { between, choose, type Random } from '#test/bench/route/generate/random.ts'
import type { SimulatedPool, SimulatedState } from './simulatedState.ts'

/** The changes of the next block: this number of pools after a swap or a change of a position. */
export function tradeSome(
  random: Random,
  { pools }: SimulatedState,
  count: number,
): readonly SimulatedPool[] {
  const all = [...pools.values()]
  const chosen = new Set(Array.from({ length: count }, () => choose(random, all)))
  return [...chosen].map((each) => tradeIn(random, each))
}

const integer = (random: Random, low: number, high: number) =>
  Math.floor(between(random, low, high + 1))

function tradeIn(random: Random, simulated: SimulatedPool): SimulatedPool {
  if ('slot' in simulated) {
    const { pool } = simulated
    const change = random() < 0.3 ? changePosition : swapToTick
    return { ...simulated, pool: change(random, pool) }
  }
  const { pool } = simulated
  const { reserve0, reserve1 } = pool
  const thousandths = BigInt(integer(random, -20, 20))
  const product = reserve0 * reserve1
  const after = reserve0 + (reserve0 * thousandths) / 1_000n + 1n
  return { ...simulated, pool: { ...pool, reserve0: after, reserve1: product / after + 1n } }
}

/** Swaps to any price within the positions, across any number of ticks. */
function swapToTick(random: Random, pool: ConcentratedPool): ConcentratedPool {
  const ticks = ticksOf(pool.ticks)
  const tick = integer(random, ticks.at(0)?.index ?? 0, (ticks.at(-1)?.index ?? 1) - 1)
  const lowest = getSqrtRatioAtTick(tick)
  const room = getSqrtRatioAtTick(tick + 1) - lowest
  const sqrtPriceX96 = lowest + (room * BigInt(integer(random, 0, 999))) / 1_000n
  return { ...pool, tick, sqrtPriceX96, liquidity: liquidityAt(pool.ticks, tick) }
}

/** Increases or decreases a position around tick 0, like all positions of `manyPools`. */
function changePosition(random: Random, pool: ConcentratedPool): ConcentratedPool {
  const tickUpper = pool.tickSpacing * integer(random, 1, 8)
  const range = { tickLower: -tickUpper, tickUpper }
  const held = ticksOf(pool.ticks).find(({ index }) => index === tickUpper)?.liquidityGross ?? 0n
  const added =
    held > 0n && random() < 0.5
      ? -((held * BigInt(integer(random, 1, 9))) / 10n)
      : BigInt(integer(random, 1, 1_000)) * 10n ** 19n
  const ticks = changeLiquidity(pool.ticks, range, added)
  return { ...pool, ticks, liquidity: liquidityAt(ticks, pool.tick) }
}
