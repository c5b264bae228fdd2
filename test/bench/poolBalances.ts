import type { TickState } from '#src/core/pools/concentrated/concentratedPool.ts'
import { ticksOf } from '#src/core/pools/concentrated/tickMap.ts'

/** A pool’s approximate balances of currency0 and currency1, in raw units. */
export function poolBalances(pool: TickState): readonly [bigint, bigint] {
  const ticks = ticksOf(pool.ticks)
  const price = Number(pool.sqrtPriceX96) / 2 ** 96
  let liquidity = 0
  let held0 = 0
  let held1 = 0
  ticks.forEach(({ index, liquidityNet }, i) => {
    liquidity += Number(liquidityNet)
    const low = 1.0001 ** (index / 2)
    const high = 1.0001 ** ((ticks[i + 1]?.index ?? index) / 2)
    const middle = Math.min(Math.max(price, low), high)
    held0 += liquidity * (1 / middle - 1 / high)
    held1 += liquidity * (middle - low)
  })
  return [BigInt(Math.floor(held0)), BigInt(Math.floor(held1))]
}
