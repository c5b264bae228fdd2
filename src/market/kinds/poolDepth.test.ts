import fc from 'fast-check'
import { expect, test } from 'vitest'
import { depthInRange } from '#src/core/pools/concentrated/concentrated.ts'
import type { ConcentratedPool } from '#src/core/pools/concentrated/concentratedPool.ts'
import { toTickMap } from '#src/core/pools/concentrated/tickMap.ts'
import type { ConstantProductPool } from '#src/core/pools/constantProduct/constantProduct.ts'
import { type Pool, swapExactOutput } from '#src/core/pools/pool.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toPips } from '#src/core/units/pips.ts'
import { concentratedPool, constantProductPool } from '#test/support/arbitraries/poolArbitrary.ts'
import { runs } from '#test/support/runs.ts'
import { depthOf } from './poolDepth.ts'

/** Square root of the price of currency0 in currency1, as a float. */
const sqrtPrice = (pool: Pool): number =>
  'sqrtPriceX96' in pool
    ? Number(pool.sqrtPriceX96) / 2 ** 96
    : Math.sqrt(Number(pool.reserve1) / Number(pool.reserve0))

/** The factor by which a currency's price rises after `amount` of it is bought. */
function riseAfter(pool: Pool, zeroForOne: boolean, amount: bigint): number | undefined {
  const swap = swapExactOutput(pool, zeroForOne, toAmount(amount))
  if (swap === undefined) return undefined
  const moved = sqrtPrice(swap.next) / sqrtPrice(pool)
  return (zeroForOne ? 1 / moved : moved) ** 2
}

const direction = fc.boolean()
const depthOut = (pool: Pool, zeroForOne: boolean): bigint =>
  zeroForOne ? depthOf(pool).amount1 : depthOf(pool).amount0

const deepPair = constantProductPool
  .map((pool): ConstantProductPool => ({ ...pool, fee: toPips(0) }))
  .filter(({ reserve0, reserve1 }) => reserve0 > 1_000_000n && reserve1 > 1_000_000n)

test('buying the depth of a constant product pool doubles the price', () => {
  fc.assert(
    fc.property(deepPair, direction, (pool, zeroForOne) => {
      const rise = riseAfter(pool, zeroForOne, depthOut(pool, zeroForOne))
      expect(rise).toBeGreaterThan(1.9999)
      expect(rise).toBeLessThan(2.0001)
    }),
  )
})

test('buying the depth of a concentrated pool does not more than double the price', () => {
  fc.assert(
    fc.property(concentratedPool, direction, (pool, zeroForOne) => {
      const depth = depthOut(pool, zeroForOne)
      // A swap rounds against the taker at each tick and at each end of a bitmap word.
      const payable = depth - depth / 1000n - 1000n
      if (payable <= 0n) return
      expect(riseAfter(pool, zeroForOne, payable)).toBeLessThan(2.0001)
    }),
  )
})

test('buying more than the depth of a concentrated pool at least doubles the price', () => {
  fc.assert(
    fc.property(concentratedPool, direction, (pool, zeroForOne) => {
      const depth = depthOut(pool, zeroForOne)
      const rise = riseAfter(pool, zeroForOne, depth + depth / 1000n + 1000n)
      expect(rise ?? 2).toBeGreaterThan(1.9999)
    }),
  )
})

test('a pool without a price has no depth', () => {
  fc.assert(
    fc.property(concentratedPool, (pool) => {
      const empty: ConcentratedPool = { ...pool, sqrtPriceX96: 0n }
      expect(depthOf(empty)).toEqual({ amount0: 0n, amount1: 0n })
    }),
    { numRuns: runs(3) },
  )
})

test('an empty pair has no depth', () => {
  fc.assert(
    fc.property(constantProductPool, (pool) => {
      expect(depthOf({ ...pool, reserve0: 0n, reserve1: 0n })).toEqual({ amount0: 0n, amount1: 0n })
    }),
    { numRuns: runs(3) },
  )
})

test('without ticks, the depth is that of a pool whose liquidity has no end', () => {
  fc.assert(
    fc.property(concentratedPool, (pool) => {
      const { sqrtPriceX96, liquidity } = pool
      const endless = { ...pool, ticks: toTickMap([], pool.tickSpacing) }
      expect(depthInRange({ sqrtPriceX96, liquidity })).toEqual(depthOf(endless))
    }),
  )
  expect(depthInRange({ sqrtPriceX96: 0n, liquidity: 0n })).toEqual({ amount0: 0n, amount1: 0n })
})
