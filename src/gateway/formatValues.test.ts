import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatPercent } from './formatValues.ts'

it('has two decimals and loses no digit', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), (hundredths) => {
      const text = formatPercent(hundredths)
      expect(text).toMatch(/^-?\d+\.\d\d$/)
      expect(BigInt(text.replace('.', ''))).toBe(hundredths)
    }),
  )
})

it.each([
  [-1n, '-0.01'],
  [0n, '0.00'],
  [150n, '1.50'],
])('%s is %s', (hundredths, text) => {
  expect(formatPercent(hundredths)).toBe(text)
})
