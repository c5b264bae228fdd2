import fc from 'fast-check'
import { expect, test } from 'vitest'
import { priorityFeeOf } from './gasFees.ts'

const gwei = 10n ** 9n

test('the priority fee is the median tip', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt(0n, 100n * gwei), { minLength: 1 }), (tips) => {
      const tip = priorityFeeOf(tips.map((each) => [each]))
      expect(tips.filter((each) => each <= tip).length).toBeGreaterThanOrEqual(tips.length / 2)
      if (tip > 1_000_000n)
        expect(tips.filter((each) => each >= tip).length).toBeGreaterThanOrEqual(
          Math.floor(tips.length / 2),
        )
    }),
  )
})

test('the priority fee has a minimum', () => {
  expect(priorityFeeOf([])).toBe(1_000_000n)
  expect(priorityFeeOf([[], [0n], [5n]])).toBe(1_000_000n)
  expect(priorityFeeOf([[2n * gwei], [0n], [3n * gwei]])).toBe(2n * gwei)
})
