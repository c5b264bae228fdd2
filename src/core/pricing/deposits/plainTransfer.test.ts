import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { isNative, isSameCurrency } from '#src/core/units/currency.ts'
import { currencyOf, market, originChain } from '#test/support/fixtures/markets.ts'
import { anyOrders, attempt, example, withChain } from '#test/support/orders/orders.ts'
import { isExplicit } from './plainTransfer.ts'
import { depositUsd } from './timeEstimate.ts'

const origin = market.chains.get(originChain)
if (origin === undefined) throw new Error('The fixture has an origin chain')
/** 1,000 US dollars, also as an amount of USDC. */
const limit = origin.chain.depositPolicy.unrecordedLimitUsd
const plain = { explicitDeposit: false }
const usdc = currencyOf(originChain, 'USDC')

it('makes ERC-20 transfers above the limit, and those without a price, recorded deposits', () => {
  expect(isExplicit(plain, origin, usdc, toAmount(limit))).toBe(false)
  expect(isExplicit(plain, origin, usdc, toAmount(limit + 1n))).toBe(true)
  const unpriced = { ...origin, usdPrices: new Map() }
  expect(isExplicit(plain, unpriced, usdc, toAmount(1n))).toBe(true)
  expect(isExplicit(plain, origin, origin.chain.native, toAmount(10n ** 24n))).toBe(false)
  expect(isExplicit({ explicitDeposit: true }, origin, usdc, toAmount(1n))).toBe(true)
})

it('prices no plain transfer above the limit, and leaves all other deposits as ordered', () => {
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

it('counts the gas and the time of the deposit that it asks for', () => {
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
