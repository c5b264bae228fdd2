import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toAmount } from '#src/core/units/amount.ts'
import { magnitude } from '#test/support/arbitraries/poolArbitrary.ts'
import { plannedAmount } from './leg.ts'

it('a plan is taken again for an amount that has fallen by up to a 64th, and for no other', () => {
  fc.assert(
    fc.property(magnitude(20, 100), fc.integer({ min: 0, max: 1_000 }), (first, thousandths) => {
      const last = toAmount(first)
      const amount = toAmount(last - (last * BigInt(thousandths)) / 1_000n)
      const planned = plannedAmount(last, amount)
      expect([last, amount]).toContain(planned)
      // It is the plan of an amount that is at most a 63rd larger.
      expect((planned - amount) * 63n).toBeLessThanOrEqual(amount)
      if (thousandths <= 15) expect(planned).toBe(last)
    }),
  )
  expect(plannedAmount(undefined, toAmount(5n))).toBe(5n)
})
