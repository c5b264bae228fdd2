import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toChainId } from '#src/core/units/chainId.ts'
import { freshnessOf } from './followedChain.ts'

const chain = {
  id: toChainId(10),
  displayName: 'Test Chain',
  maxMarketAgeSeconds: 15,
  clockSkewSeconds: 0,
}
const block = { number: 1_000n, hash: '0x01', timestamp: 1_700_000_000n } as const

/** The freshness at `seconds` after the block's timestamp. */
const after = (seconds: number, { skew = 0, announced = 1_000n } = {}) =>
  freshnessOf({ ...chain, clockSkewSeconds: skew }, block, {
    time: Number(block.timestamp) * 1000 + seconds * 1000,
    announced,
  })

test('a market is stale once its block is older than the limit, at any time of arrival', () => {
  fc.assert(
    fc.property(fc.integer({ min: -15_000, max: 3_600_000 }), (ms) => {
      const { ageMs, refusal } = after(ms / 1000)
      expect(ageMs).toBe(ms)
      expect(refusal?.code).toBe(ageMs > 15_000 ? 'STALE_MARKET' : undefined)
    }),
  )
})

test('reports the age and the announced blocks that are missing', () => {
  const { refusal, lagBlocks } = after(104.5, { announced: 1_413n })
  expect(lagBlocks).toBe(413n)
  expect(refusal).toMatchObject({
    code: 'STALE_MARKET',
    message:
      'The newest block of Test Chain is 104 s old, and 413 newer blocks are announced: prices need a block that is at most 15 s old',
    data: { chainId: 10, ageSeconds: 104, maxAgeSeconds: 15, blockNumber: '1000', lagBlocks: 413 },
  })
  expect(after(0, { announced: 999n }).lagBlocks).toBe(0n)
})

test('refuses a block that is dated more than 15 s in the future', () => {
  expect(after(-15).refusal).toBeUndefined()
  expect(after(-15.001).refusal).toMatchObject({
    code: 'STALE_MARKET',
    message:
      'The newest block of Test Chain is dated 15 s in the future: the clock of the chain or of this machine is wrong',
  })
})

test('takes the known skew of the chain’s clock into account', () => {
  expect(after(-30, { skew: 40 })).toMatchObject({ ageMs: 10_000, refusal: undefined })
  expect(after(30, { skew: -20 })).toMatchObject({ ageMs: 10_000, refusal: undefined })
})

test('a feed that is silent for more than 15 s may have missed any block', () => {
  const heard = (silentMs: number | undefined) =>
    freshnessOf(chain, block, { time: Number(block.timestamp) * 1000, announced: 0n, silentMs })
  expect(heard(undefined).refusal).toBeUndefined()
  expect(heard(15_000).refusal).toBeUndefined()
  expect(heard(15_001).refusal).toMatchObject({
    code: 'STALE_MARKET',
    message:
      'The feed of Test Chain has been silent for 15 s: prices need a feed message from the last 15 s',
  })
})
