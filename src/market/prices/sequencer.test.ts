import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Round } from './priceFeed.ts'
import { sequencerState } from './sequencer.ts'

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
