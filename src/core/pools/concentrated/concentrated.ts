import { orientedPrice } from '#src/core/pools/orientedPrice.ts'
import type { PoolKind } from '#src/core/pools/poolKind.ts'
import { capacity, enterNextRange, enterRange } from '#src/core/pools/virtualReserves.ts'
import { concentratedDepth } from './concentratedDepth.ts'
import type { ConcentratedPool, TickState } from './concentratedPool.ts'
import { liquidityRangesOf, rangeAt } from './liquidityRanges.ts'
import { swapConcentrated } from './swapConcentrated.ts'

/** The pool takes its input by a callback. */
const concentratedFlag = 1

/** For PancakeSwap v3, which takes 9,800 more than Uniswap v3. The pool kind does not distinguish the two. */
const hopGas = 66_000n

/** The functions that depend on the liquidity by price range alone, for every kind of pool with ticks. */
export const tickPools: Pick<PoolKind<TickState>, 'spotPrice' | 'depth' | 'writeReserves'> = {
  spotPrice: ({ liquidity, sqrtPriceX96 }, zeroForOne) =>
    liquidity === 0n
      ? undefined
      : orientedPrice(sqrtPriceX96 * sqrtPriceX96, 2n ** 192n, zeroForOne),
  depth: concentratedDepth,
  writeReserves(reserves, offset, pool, shape, zeroForOne) {
    if (pool.sqrtPriceX96 === 0n) return
    const current = rangeAt(liquidityRangesOf(pool.ticks), pool.tick)
    const sqrtPrice = Number(pool.sqrtPriceX96) / 2 ** 96
    enterRange(reserves, offset, shape, zeroForOne, current, sqrtPrice)
    if (reserves[offset + capacity] === 0) enterNextRange(reserves, offset, shape, zeroForOne)
  },
}

export const concentrated: PoolKind<ConcentratedPool> = {
  ...tickPools,
  swap: swapConcentrated,
  hopFlags: concentratedFlag,
  hopGas: () => hopGas,
  minHopGas: hopGas,
  shape: ({ ticks, fee }) => ({
    ranges: liquidityRangesOf(ticks).ranges,
    feeFactor: 1 - fee / 1_000_000,
    hopGas: Number(hopGas),
    feeJoins: false,
    hasTicks: true,
  }),
}
