import fc from 'fast-check'
import { expect, test } from 'vitest'
import { concentratedPool } from '#test/poolArbitrary.ts'
import { floatSegments } from './floatSegments.ts'
import { liquidityAt, ticksOf } from './tickMap.ts'
import { getSqrtRatioAtTick } from './tickMath.ts'

const isClose = (float: number, exact: bigint, scale: number, digits: number) =>
  Math.abs(float * scale - Number(exact)) <= Number(exact) * 10 ** -digits

test('prices and liquidity are those of the tick map, and the price is in its segment', () => {
  fc.assert(
    fc.property(concentratedPool, (pool) => {
      const { sqrtPrices, liquidity, sqrtPrice, current } = floatSegments(pool)
      const ticks = ticksOf(pool.ticks)
      expect(sqrtPrices).toHaveLength(ticks.length)
      expect(liquidity).toHaveLength(ticks.length - 1)
      ticks.forEach(({ index }, i) => {
        // At the lowest prices the contract itself has no more than ten digits.
        expect(isClose(sqrtPrices[i] ?? 0, getSqrtRatioAtTick(index), 2 ** 96, 9)).toBe(true)
        if (i < liquidity.length)
          expect(isClose(liquidity[i] ?? 0, liquidityAt(pool.ticks, index), 1, 15)).toBe(true)
      })
      expect(isClose(sqrtPrice, pool.sqrtPriceX96, 2 ** 96, 15)).toBe(true)
      expect(isClose(liquidity[current] ?? 0, pool.liquidity, 1, 15)).toBe(true)
      expect(sqrtPrices[current] ?? 0).toBeLessThanOrEqual(sqrtPrice * (1 + 1e-9))
      expect(sqrtPrices[current + 1] ?? Infinity).toBeGreaterThanOrEqual(sqrtPrice * (1 - 1e-9))
    }),
  )
})

test('the curve is worked out once for a tick map', () => {
  fc.assert(
    fc.property(concentratedPool, (pool) => {
      const moved = { ...pool, sqrtPriceX96: pool.sqrtPriceX96 + 1n }
      expect(floatSegments(moved).liquidity).toBe(floatSegments(pool).liquidity)
    }),
    { numRuns: 10 },
  )
})
