import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transactionCost } from '#src/core/pricing/gas/gas.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
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
        const native = refundAmount(
          { chainId: originChain, currency: nativeAddress, amount },
          market,
          chain,
          size,
        )
        expect(native.kind === 'amount' ? native.amount : 0n).toBe(
          amount > cost ? amount - cost : 0n,
        )
        const paid = refundAmount(
          { chainId: originChain, currency: usdc, amount },
          market,
          chain,
          size,
        )
        if (paid.kind !== 'amount') return
        // 1 ETH is 3,000 dollars, and USDC has 6 decimals.
        const taken = amount - paid.amount
        expect(taken * 10n ** 12n).toBeGreaterThanOrEqual(cost * 3000n)
        expect((taken - 1n) * 10n ** 12n).toBeLessThan(cost * 3000n)
      }),
    )
  })

  it('waits without a known price, and for cheaper gas unless the deposit is worth next to nothing', () => {
    const kindOf = (deposit: Pick<Deposit, 'currency' | 'amount'>, on = chain) =>
      refundAmount({ chainId: originChain, ...deposit }, market, on, size).kind
    const deposit = { currency: usdc, amount: toAmount(10n ** 12n) }
    const unpriced = { ...chain, usdPrices: new Map() }
    expect(kindOf(deposit, unpriced)).toBe('noPrice')
    const gas = { currency: nativeAddress, amount: cost }
    expect(kindOf(gas)).toBe('gasTooHigh')
    expect(kindOf(gas, unpriced)).toBe('noPrice')
    expect(kindOf({ ...gas, amount: toAmount(cost + 1n) }, unpriced)).toBe('amount')
    expect(kindOf({ ...deposit, amount: toAmount(100_001n) })).toBe('gasTooHigh')
    expect(kindOf({ ...deposit, amount: toAmount(100_000n) })).toBe('dust')
  })

  it('takes no gas in a currency that the solver does not bridge, at any price', () => {
    const long = currencyOf(originChain, 'LONG').address
    const weth = currencyOf(originChain, 'WETH').address
    const amount = toAmount(10n ** 24n)
    const kindOf = (currency: typeof long) =>
      refundAmount({ chainId: originChain, currency, amount }, market, chain, size).kind
    expect(chain.usdPrices.has(long)).toBe(true)
    expect([kindOf(long), kindOf(weth), kindOf(usdc)]).toEqual(['dust', 'amount', 'amount'])
  })
})
