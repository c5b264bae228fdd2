import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toUsdPrice } from '#src/core/units/usd.ts'
import { planPositions, sqrtPriceX96Of, tickNear, tickSpacings } from './poolPlan.ts'

const side = fc.record({
  decimals: fc.integer({ min: 0, max: 24 }),
  price: fc.bigInt({ min: 10n ** 13n, max: 10n ** 23n }).map(toUsdPrice),
})
const premium = fc.bigInt({ min: -3333n, max: 3333n })
const fee = fc.constantFrom(100 as const, 500 as const, 3000 as const, 10_000 as const)

test('the starting price is the root of the ratio, rounded down', () => {
  fc.assert(
    fc.property(side, side, premium, (side0, side1, premiumPips) => {
      const root = sqrtPriceX96Of(side0, side1, premiumPips)
      const numerator = side0.price * (1_000_000n + premiumPips) * 10n ** BigInt(side1.decimals)
      const denominator = side1.price * 1_000_000n * 10n ** BigInt(side0.decimals)
      expect(root * root * denominator).toBeLessThanOrEqual(numerator << 192n)
      expect((root + 1n) ** 2n * denominator).toBeGreaterThan(numerator << 192n)
    }),
  )
})

test('a dollar currency of 6 decimals against one of 18, and one to one', () => {
  const dollar = toUsdPrice(10n ** 18n)
  const six = { decimals: 6, price: dollar }
  const eighteen = { decimals: 18, price: dollar }
  expect(sqrtPriceX96Of(six, six, 0n)).toBe(2n ** 96n)
  expect(sqrtPriceX96Of(six, eighteen, 0n)).toBe(2n ** 96n * 1_000_000n)
  expect(tickNear(2n ** 96n)).toBe(0)
})

test('positions lie in the contract’s range, on its ticks, and share out all of the depth', () => {
  const tick = fc.integer({ min: -400_000, max: 400_000 })
  fc.assert(
    fc.property(tick, fee, fc.boolean(), fc.nat(100), (near, tier, isPegged, seed) => {
      const spacing = tickSpacings[tier]
      const positions = planPositions(near, spacing, isPegged, seed)
      for (const { tickLower, tickUpper } of positions) {
        expect(tickLower).toBeGreaterThanOrEqual(-887_272)
        expect(tickUpper).toBeLessThanOrEqual(887_272)
        expect(tickUpper).toBeGreaterThan(tickLower)
        expect(Math.abs(tickLower % spacing)).toBe(0)
        expect(Math.abs(tickUpper % spacing)).toBe(0)
      }
      expect(positions.reduce((sum, { percent }) => sum + percent, 0n)).toBe(100n)
      expect(positions.some((each) => each.tickLower <= near && near < each.tickUpper)).toBe(true)
    }),
  )
})
