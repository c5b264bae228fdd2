import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { feedPrice, type Round, sequencerState } from './sequencer.ts'

const roundOf = (answer: bigint, startedAt: bigint): Round => [7n, answer, startedAt, startedAt, 7n]
const limits = { at: 10_000n, graceSeconds: 3600 }

test('trusts prices from the grace time after the sequencer came back', () => {
  expect(sequencerState(roundOf(0n, 6_400n), limits)).toEqual({ status: 'up' })
  expect(sequencerState(roundOf(0n, 6_401n), limits)).toEqual({
    status: 'recovering',
    trustedAt: 10_001n,
  })
  expect(sequencerState(roundOf(0n, 10_000n), { ...limits, graceSeconds: 0 }).status).toBe('up')
})

test('is down while the feed says so, does not answer, or answers nonsense', () => {
  expect(sequencerState(roundOf(1n, 5n), limits)).toEqual({ status: 'down', isKnown: true })
  const unknown = { status: 'down', isKnown: false }
  expect(sequencerState(undefined, limits)).toEqual(unknown)
  // Not initialized, from the future, and the answer of a price feed.
  expect(sequencerState(roundOf(0n, 0n), limits)).toEqual(unknown)
  expect(sequencerState(roundOf(0n, 10_001n), limits)).toEqual(unknown)
  expect(sequencerState(roundOf(300_000_000_000n, 5n), limits)).toEqual(unknown)
  expect(sequencerState(roundOf(-1n, 5n), limits)).toEqual(unknown)
})

test('is up for the answer 0 alone, and never sooner than the grace time ends', () => {
  const word = fc.bigInt(-3n, 2n ** 64n)
  fc.assert(
    fc.property(word, word, word, fc.nat(86_400), (answer, startedAt, at, graceSeconds) => {
      const { status } = sequencerState(roundOf(answer, startedAt), { at, graceSeconds })
      const isUp = answer === 0n && startedAt > 0n && at - startedAt >= BigInt(graceSeconds)
      expect(status === 'up').toBe(isUp)
    }),
  )
})

describe('price feed', () => {
  const roundAt = (answer: bigint, updatedAt: bigint): Round => [
    5n,
    answer,
    updatedAt,
    updatedAt,
    5n,
  ]
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
})
