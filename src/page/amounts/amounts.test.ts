import fc from 'fast-check'
import { formatUnits } from 'viem'
import { expect, it } from 'vitest'
import {
  compactAmount,
  formatAmount,
  formatMicros,
  parseAmount,
  shortDecimal,
  toMicros,
} from '#src/page/amounts/amounts.js'

const decimals = fc.integer({ min: 0, max: 30 })
const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

it('formats exactly, as viem does, and parses what it formats', () => {
  fc.assert(
    fc.property(amount, decimals, (value, places) => {
      const text = formatAmount(value, places)
      expect(text).toBe(formatUnits(value, places))
      expect(parseAmount(text, places)).toBe(value)
    }),
  )
})

it('shortens by cutting: it never shows more than there is', () => {
  fc.assert(
    fc.property(amount, decimals, fc.integer({ min: 2, max: 12 }), (value, places, digits) => {
      const shown = parseAmount(shortDecimal(formatAmount(value, places), digits), places) ?? -1n
      expect(shown).toBeLessThanOrEqual(value)
      expect(value - shown).toBeLessThanOrEqual(value / 10n ** BigInt(digits - 2))
    }),
  )
})

it.each([
  ['', 18],
  ['.', 18],
  ['one', 18],
  ['1.2.3', 18],
  ['-1', 18],
  ['1e18', 18],
  ['0.1234567', 6],
  ['1,5', 18],
  ['0,500', 18],
  ['1,23,456', 18],
  ['1234,567', 18],
  ['1 5', 18],
])('takes %j with %i decimals for no amount', (text, places) => {
  expect(parseAmount(text, places)).toBeUndefined()
})

it('accepts the number formats that people type', () => {
  const texts = [' 1,234.5 ', '1,234,567', '12 345.6', '.5', '7.', '0']
  expect(texts.map((text) => parseAmount(text, 2))).toEqual([
    123450n,
    123456700n,
    1234560n,
    50n,
    700n,
    0n,
  ])
})

it('reads and shows dollars', () => {
  expect(['2997.710334', '-0.027900', '0', '0.000050'].map(toMicros)).toEqual([
    2_997_710_334n,
    -27_900n,
    0n,
    50n,
  ])
  expect([2_997_710_334n, -27_900n, 0n, 50n, 4_700n, 10n ** 15n].map(formatMicros)).toEqual([
    '$2,997.71',
    '−$0.02',
    '$0',
    '<$0.0001',
    '$0.0047',
    '$1,000,000,000.00',
  ])
})

it('shows depths in three digits', () => {
  expect(
    [999n, 1_000n, 1_234_567n, 9_999_999n].map((whole) => compactAmount(whole * 10n ** 6n, 6)),
  ).toEqual(['999', '1k', '1.23M', '9.99M'])
})
