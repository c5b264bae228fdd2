import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transactionCost } from '#src/pricing/gas/gas.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import { nativeAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { currencyOf, market, originChain } from '#test/support/fixtures/markets.ts'
import { refundAmount } from './refundAmount.ts'

const chain = market.chains.get(originChain) as ChainMarket
const usdc = currencyOf(originChain, 'USDC').address
const size = { gas: 100_000n, bytes: 600n }
const cost = transactionCost(chain.gas, size)

describe('refundAmount', () => {
  it('refunds the deposit minus the gas, rounded against the recipient', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 20n), (value) => {
        const amount = toAmount(value)
        const native = refundAmount({ currency: nativeAddress, amount }, chain, size, 18)
        expect(native ?? 0n).toBe(amount > cost ? amount - cost : 0n)
        const paid = refundAmount({ currency: usdc, amount }, chain, size, 6)
        if (paid === undefined) return
        // 1 ETH is 3,000 dollars, and USDC has 6 decimals.
        const taken = amount - paid
        expect(taken * 10n ** 12n).toBeGreaterThanOrEqual(cost * 3000n)
        expect((taken - 1n) * 10n ** 12n).toBeLessThan(cost * 3000n)
      }),
    )
  })

  it('refunds nothing without a known price, and nothing if only the gas is left', () => {
    const deposit = { currency: usdc, amount: toAmount(10n ** 12n) }
    expect(refundAmount(deposit, { ...chain, usdPrices: new Map() }, size, 6)).toBeUndefined()
    expect(refundAmount(deposit, chain, size, undefined)).toBeUndefined()
    const gas = { currency: nativeAddress, amount: cost }
    expect(refundAmount(gas, chain, size, 18)).toBeUndefined()
  })
})
