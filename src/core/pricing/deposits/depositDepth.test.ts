import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toUsd } from '#src/core/units/usd.ts'
import { type DepositPolicy, depositDepth, neededEndpoints } from './depositDepth.ts'

const dollars = (whole: number) => toUsd(BigInt(whole) * 1_000_000n)
const policy: DepositPolicy = {
  minBlocks: 1,
  tiers: [
    { upToUsd: dollars(100), blocks: 0 },
    { upToUsd: dollars(1_000), blocks: 32 },
    { upToUsd: dollars(50_000), blocks: 64 },
  ],
  agreeAboveUsd: dollars(1_000),
  agreeingEndpoints: 2,
  endpoints: 3,
  maxUnfinalizedUsd: dollars(25_000),
  unrecordedLimitUsd: dollars(1_000),
}

it('requires more blocks and endpoints for larger deposits', () => {
  const depthOf = (usd: number) => depositDepth(policy, dollars(usd))
  expect([100, 101, 1_000, 1_001, 10_000, 10_001].map(depthOf)).toEqual([
    1,
    32,
    32,
    64,
    64,
    'final',
  ])
  expect([1_000, 1_001].map((usd) => neededEndpoints(policy, dollars(usd), 64))).toEqual([1, 2])
})

it('requires finality above all tiers and without a price', () => {
  const tiers = policy.tiers.slice(0, 2)
  expect(depositDepth({ ...policy, tiers }, dollars(1_001))).toBe('final')
  expect(depositDepth(policy, undefined)).toBe('final')
  expect(neededEndpoints(policy, undefined, 'final')).toBe(2)
})

const exposed = (usd: number, ofPayerUsd = 0) => ({
  usd: dollars(usd),
  ofPayerUsd: dollars(ofPayerUsd),
})

it('requires finality for deposits that exceed the ceiling together with others', () => {
  expect(depositDepth(policy, dollars(250), exposed(24_750))).toBe(32)
  expect(depositDepth(policy, dollars(250), exposed(24_751))).toBe('final')
  expect(depositDepth(policy, dollars(251), exposed(18_499))).toBe(32)
  expect(depositDepth(policy, dollars(251), exposed(18_500))).toBe('final')
})

it('requires finality for deposits of a payer with two fifths of the ceiling', () => {
  expect(depositDepth(policy, dollars(10_000))).toBe(64)
  expect(depositDepth(policy, dollars(10_001))).toBe('final')
  expect(depositDepth(policy, dollars(100), exposed(9_900, 9_900))).toBe(1)
  expect(depositDepth(policy, dollars(100), exposed(9_901, 9_901))).toBe('final')
})

it('reserves a quarter of the ceiling for small deposits', () => {
  let usd = 0
  for (const each of [9_999, 9_999, 5_001, 1_000, 500, 251])
    while (depositDepth(policy, dollars(each), exposed(usd)) !== 'final') usd += each
  expect(usd).toBeGreaterThan(18_000)
  let small = 0
  while (depositDepth(policy, dollars(250), exposed(usd)) !== 'final') {
    usd += 250
    small += 1
  }
  expect(small).toBeGreaterThanOrEqual(25)
})

it('requires finality if the chain has too few endpoints to confirm a block', () => {
  const alone = { ...policy, endpoints: 1 }
  expect(depositDepth(alone, dollars(1_000))).toBe(32)
  expect(depositDepth(alone, dollars(1_001))).toBe('final')
  expect(neededEndpoints(policy, dollars(1), 'final')).toBe(2)
  expect(neededEndpoints(alone, dollars(1_001), 'final')).toBe(1)
  expect(depositDepth({ ...alone, agreeingEndpoints: 1 }, dollars(1_001))).toBe(64)
})

it('never requires less depth for a larger deposit', () => {
  const rank = (depth: number | 'final') => (depth === 'final' ? Number.POSITIVE_INFINITY : depth)
  const usd = fc.integer({ min: 0, max: 100_000 })
  fc.assert(
    fc.property(usd, usd, fc.integer({ min: 1, max: 3 }), (one, other, endpoints) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)]
      const chain = { ...policy, endpoints }
      expect(rank(depositDepth(chain, dollars(less)))).toBeLessThanOrEqual(
        rank(depositDepth(chain, dollars(more))),
      )
    }),
  )
})
