import { expect, it } from 'vitest'
import { toAmount } from '#src/core/units/amount.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { market, originChain, quickDeposits } from '#test/support/fixtures/markets.ts'
import { attempt, example, withChain } from '#test/support/orders/orders.ts'

const origin = market.chains.get(originChain)
if (origin === undefined) throw new Error('The fixture has an origin chain')
const dollars = (whole: bigint) => toUsd(whole * 1_000_000n)
const depositPolicy = {
  ...quickDeposits,
  tiers: [
    { upToUsd: dollars(100n), blocks: 16 },
    { upToUsd: dollars(1_000n), blocks: 32 },
  ],
}

/** Blocks take two seconds on both chains, and 64 of them until they are final. */
const estimateOf = (usdc: bigint, change: Partial<typeof origin> = {}) => {
  const chain = { ...origin.chain, depositPolicy }
  const priced = attempt(
    { ...example(), amount: toAmount(usdc * 1_000_000n) },
    withChain(originChain, { chain, ...change }),
  )
  return 'timeEstimate' in priced ? priced.timeEstimate : priced.code
}

it('is the time of the blocks that the deposit’s value needs, then the time until finality', () => {
  expect(estimateOf(100n)).toBe(2 * (1 + 16) + 2)
  expect(estimateOf(1_000n)).toBe(2 * (1 + 32) + 2)
  expect(estimateOf(1_001n)).toBe(2 * (1 + 64) + 2)
})

it('is the time until finality while other deposits use up the ceiling', () => {
  const chain = {
    ...origin.chain,
    depositPolicy: { ...depositPolicy, maxUnfinalizedUsd: dollars(10_000n) },
  }
  expect(estimateOf(100n, { chain, exposedUsd: dollars(9_900n) })).toBe(2 * (1 + 16) + 2)
  expect(estimateOf(100n, { chain, exposedUsd: dollars(9_901n) })).toBe(2 * (1 + 64) + 2)
  // Only small deposits may use the last quarter.
  expect(estimateOf(101n, { chain, exposedUsd: dollars(7_399n) })).toBe(2 * (1 + 32) + 2)
  expect(estimateOf(101n, { chain, exposedUsd: dollars(7_400n) })).toBe(2 * (1 + 64) + 2)
})

it('is the current time until finality', () => {
  expect(estimateOf(1_001n, { finality: { height: 1n, blocks: 500 } })).toBe(2 * (1 + 500) + 2)
})
