import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { isNative, isSameCurrency } from '#src/core/units/currency.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { currencyOf, market, originChain, quickDeposits } from '#test/support/fixtures/markets.ts'
import { anyOrders, attempt, example, withChain } from '#test/support/orders/orders.ts'
import { depositUsd, isExplicit } from './timeEstimate.ts'

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

it('the time estimate covers the blocks that the deposit’s value needs, up to the time until finality', () => {
  expect(estimateOf(100n)).toBe(2 * (1 + 16) + 2)
  expect(estimateOf(1_000n)).toBe(2 * (1 + 32) + 2)
  expect(estimateOf(1_001n)).toBe(2 * (1 + 64) + 2)
})

it('the time estimate is the time until finality while other deposits use up the ceiling', () => {
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

it('a deposit that must be final takes the current time until finality', () => {
  expect(estimateOf(1_001n, { finality: { height: 1n, blocks: 500 } })).toBe(2 * (1 + 500) + 2)
})

if (origin === undefined) throw new Error('The fixture has an origin chain')
/** 1,000 US dollars, also as an amount of USDC. */
const limit = origin.chain.depositPolicy.unrecordedLimitUsd
const plain = { explicitDeposit: false }
const usdc = currencyOf(originChain, 'USDC')

it('asks for a recorded deposit instead of an ERC-20 transfer above the limit or without a price', () => {
  expect(isExplicit(plain, origin, usdc, toAmount(limit))).toBe(false)
  expect(isExplicit(plain, origin, usdc, toAmount(limit + 1n))).toBe(true)
  const unpriced = { ...origin, usdPrices: new Map() }
  expect(isExplicit(plain, unpriced, usdc, toAmount(1n))).toBe(true)
  expect(isExplicit(plain, origin, origin.chain.native, toAmount(10n ** 24n))).toBe(false)
  expect(isExplicit({ explicitDeposit: true }, origin, usdc, toAmount(1n))).toBe(true)
})

it('prices plain transfers up to the limit only, and other deposits as ordered', () => {
  fc.assert(
    fc.property(anyOrders, (order) => {
      const price = attempt({ ...order, ...plain })
      if (price instanceof AppError) return
      for (const { leg, explicitDeposit } of price.pricedOrigins) {
        const { currency, amount } = leg.output
        const chain = market.chains.get(currency.chainId)
        const usd = chain && depositUsd(chain, currency, amount)
        const isSwapped = !isSameCurrency(leg.input.currency, currency)
        if (isSwapped) continue
        const mayBePlain = isNative(currency.address) || (usd !== undefined && usd <= limit)
        expect(explicitDeposit).toBe(!mayBePlain)
      }
    }),
  )
})

it('counts the gas and time of the kind of deposit that the steps use', () => {
  const depositPolicy = { ...origin.chain.depositPolicy, minBlocks: 16 }
  const seen = withChain(originChain, { chain: { ...origin.chain, depositPolicy } })
  const priceOf = (explicitDeposit: boolean, amount: bigint) => {
    const price = attempt({ ...example(), explicitDeposit, amount: toAmount(amount) }, seen)
    if (price instanceof AppError) throw price
    return { seconds: price.timeEstimate, gas: price.fees.gas.amount }
  }
  // A plain transfer is read once it is final, 64 blocks of two seconds later.
  expect(priceOf(true, limit).seconds).toBe(2 * (1 + 16) + 2)
  expect(priceOf(false, limit).seconds).toBe(2 * (1 + 64) + 2)
  expect(priceOf(false, limit).gas).toBeLessThan(priceOf(true, limit).gas)
  expect(priceOf(false, limit + 1n)).toEqual(priceOf(true, limit + 1n))
})
