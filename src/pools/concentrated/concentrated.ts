import { orientedPrice } from '#src/pools/orientedPrice.ts'
import type { PoolKind } from '#src/pools/poolKind.ts'
import { capacity, enterNextRange, enterRange } from '#src/pools/virtualReserves.ts'
import { concentratedDepth } from './concentratedDepth.ts'
import type { ConcentratedPool, TickState } from './concentratedPool.ts'
import { liquidityRangesOf, rangeAt } from './liquidityRanges.ts'
import { swapConcentrated } from './swapConcentrated.ts'

/** The pool takes its input by a callback. */
const concentratedFlag = 1

/** A hop of PancakeSwap v3 takes 9,800 more than one of Uniswap v3, which the kind of a pool does not tell. */
const hopGas = 66_000n

/** What only the liquidity by price range decides, and not where the pool is. */
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
