import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feedPrice, type Round } from './priceFeed.ts'

const roundAt = (answer: bigint, updatedAt: bigint): Round => [5n, answer, updatedAt, updatedAt, 5n]
const limits = { at: 10_000n, maxAgeSeconds: 3600 }

test('scales a fresh answer by its decimals, rounded down', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 2n ** 128n),
      fc.integer({ min: 0, max: 36 }),
      fc.bigInt(6_400n, 10_000n),
      (answer, decimals, updatedAt) => {
        const price = feedPrice(roundAt(answer, updatedAt), decimals, limits) ?? 0n
        const exact = answer * 10n ** 18n
        const unit = 10n ** BigInt(decimals)
        expect(price * unit).toBeLessThanOrEqual(exact)
        expect((price + 1n) * unit).toBeGreaterThan(exact)
      },
    ),
  )
})

test('accepts an answer of exactly the maximum age', () => {
  expect(feedPrice(roundAt(300_000_000_000n, 6_400n), 8, limits)).toBe(3000n * 10n ** 18n)
  expect(feedPrice(roundAt(300_000_000_000n, 6_399n), 8, limits)).toBeUndefined()
})

test('ignores answers that are not positive, incomplete or carried over', () => {
  expect(feedPrice(roundAt(0n, 10_000n), 8, limits)).toBeUndefined()
  expect(feedPrice(roundAt(-1n, 10_000n), 8, limits)).toBeUndefined()
  expect(feedPrice([5n, 1n, 0n, 0n, 5n], 8, limits)).toBeUndefined()
  expect(feedPrice([5n, 1n, 10_000n, 10_000n, 4n], 8, limits)).toBeUndefined()
  expect(feedPrice(roundAt(1n, 10_000n), 40, limits)).toBeUndefined()
})
