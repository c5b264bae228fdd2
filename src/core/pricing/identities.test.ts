import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { type Usd, usdValueDown } from '#src/core/units/usd.ts'
import { market } from '#test/support/fixtures/markets.ts'
import { anyOrders, attempt, priceOf } from '#test/support/orders/orders.ts'
import { runs } from '#test/support/runs.ts'
import { appBps, appFeeShares } from './fees/relayFees.ts'
import { settlementCost } from './fees/solverCosts.ts'
import { assetOf } from './market.ts'
import type { Order } from './order.ts'
import type { Price } from './price.ts'

const priceCount = runs(10_000, 1_500)

/** Random orders, priced once for all tests below. About half of them have a price. */
const priced = fc
  .sample(anyOrders, { numRuns: (22 * priceCount) / 10, seed: 3 })
  .flatMap((order) => {
    const price = attempt(order)
    return price instanceof AppError ? [] : [{ order, price }]
  })
  .slice(0, priceCount)

const forAll = (check: (price: Price, order: Order) => void) => {
  for (const { order, price } of priced) check(price, order)
}

const usdPriceOf = ({ chainId, address }: Currency) => priceOf(market.chains.get(chainId), address)

const worth = (currency: Currency, amount: bigint): Usd =>
  usdValueDown(toAmount(amount), currency.decimals, usdPriceOf(currency))

const scaled = (amount: bigint, from: Currency, to: Currency): bigint =>
  (amount * 10n ** BigInt(to.decimals)) / 10n ** BigInt(from.decimals)

const ceilShare = (amount: bigint, bps: bigint): bigint => (amount * bps + 9_999n) / 10_000n

describe('every price of many random orders', () => {
  it('covers every kind of order many times', () => {
    const count = (is: (order: Order, price: Price) => boolean) =>
      priced.filter(({ order, price }) => is(order, price)).length
    expect(priced.length).toBe(priceCount)
    const kinds = [
      count(({ tradeType }) => tradeType === 'EXACT_INPUT'),
      count(({ tradeType }) => tradeType === 'EXACT_OUTPUT'),
      count(({ tradeType }) => tradeType === 'EXPECTED_OUTPUT'),
      count((_, { execution }) => execution === 'user'),
      count((_, { execution, blocks }) => execution === 'solver' && blocks.length === 1),
      count((_, { fees }) => fees.subsidized.amount > 0n),
      count(({ sponsorship }, { fees }) => !!sponsorship?.maxUsd && fees.subsidized.amount === 0n),
      count(({ topup }) => topup !== undefined),
      count(({ fixedRate }) => fixedRate !== undefined),
      count(({ txs }) => txs.length > 0),
      count(({ maxRouteLength }) => maxRouteLength !== undefined),
      count((_, { origin }) => origin.route !== undefined),
      count((_, { destination }) => destination.route !== undefined),
    ]
    expect(Math.min(...kinds)).toBeGreaterThan(priceCount / 30)
  })

  it('adds up its fees and values them in USD', () => {
    forAll(({ fees, currencyIn, currencyOut, refundCurrency, origin, destination }) => {
      expect(fees.relayer.amount).toBe(fees.relayerGas.amount + fees.relayerService.amount)
      for (const fee of Object.values(fees)) expect(fee.minimumAmount).toBe(fee.amount)
      const ends = [currencyIn, currencyOut, refundCurrency]
      const inner = [origin.input, origin.output, destination.input, destination.output]
      for (const { currency, amount, usd } of [...Object.values(fees), ...ends, ...inner])
        expect(usd).toBe(worth(currency, amount))
    })
  })

  it('pays out the deposit less all fees without a sponsor', () => {
    forAll(({ execution, fees, origin, destination, currencyIn, currencyOut }, order) => {
      const { relayer, app, subsidized } = fees
      const charged = relayer.amount - subsidized.amount + app.amount
      if (execution === 'user') {
        expect(relayer.amount).toBe(0n)
        if (origin.route === undefined)
          expect(currencyOut.amount).toBe(currencyIn.amount - app.amount)
        return
      }
      const rest = origin.output.amount - charged
      const { currency } = origin.output
      expect(destination.input.amount).toBe(scaled(rest, currency, destination.input.currency))
      const isPlain = origin.route === undefined && destination.route === undefined
      if (isPlain && order.origin.decimals === order.destination.decimals)
        expect(currencyOut.amount).toBe(currencyIn.amount - charged)
    })
  })

  it('takes app fees from the deposit, or from the input if the user swaps', () => {
    forAll(({ execution, fees, origin, currencyIn }, { appFees, tradeType }) => {
      const base = execution === 'user' ? currencyIn : origin.output
      const exact = ceilShare(base.amount, appBps(appFees))
      const slack = execution === 'user' && tradeType !== 'EXACT_INPUT' ? 1n : 0n
      expect(fees.app.amount - exact).toBeGreaterThanOrEqual(-slack)
      expect(fees.app.amount - exact).toBeLessThanOrEqual(slack)
      const shares = appFeeShares(appFees, fees.app.amount)
      expect(shares.reduce((sum, { amount }) => sum + amount, 0n)).toBe(fees.app.amount)
    })
  })

  it('derives its impacts from both amounts and the fees', () => {
    forAll(({ fees, currencyIn, currencyOut, totalImpact, swapImpact, expandedPriceImpact }) => {
      const total = (currencyOut.usd ?? 0n) - (currencyIn.usd ?? 0n)
      const { swap, execution, service, app, sponsored } = expandedPriceImpact
      expect(totalImpact?.usd).toBe(total)
      expect(swapImpact?.usd).toBe(total + (fees.relayer.usd ?? 0n) + (fees.app.usd ?? 0n))
      expect((execution ?? 0n) + (service ?? 0n)).toBe(-(fees.relayer.usd ?? 0n))
      expect(app).toBe(-(fees.app.usd ?? 0n))
      expect(sponsored).toBe(fees.subsidized.usd)
      expect(swap).toBe(total - (execution ?? 0n) - (service ?? 0n) - (app ?? 0n))
    })
  })

  it('counts gas, the flat fee and the settlement as execution', () => {
    forAll(({ execution, fees, expandedPriceImpact }, order) => {
      const { relayerGas } = fees
      const chain = market.chains.get(order.origin.chainId)
      if (chain === undefined) throw new Error('No such chain')
      const { currency } = relayerGas
      const settlement = settlementCost({ market: chain, deposit: currency }, order, {
        market: chain,
        currency,
      })
      const flat = market.feeSchedule.flat + worth(currency, settlement)
      const asked = -(expandedPriceImpact.execution ?? 0n)
      if (execution === 'user') return expect(asked).toBe(0n)
      // Each part is rounded up to a unit of the deposit.
      const minFee = (relayerGas.usd ?? 0n) + flat
      const unit = worth(relayerGas.currency, 1n)
      expect(asked).toBeGreaterThanOrEqual(minFee)
      expect(asked).toBeLessThanOrEqual(minFee + unit + 3n)
    })
  })

  it('takes the slippage from the output, and none from a promised output', () => {
    forAll(({ currencyOut, slippageBps, slippageTolerance, isFixedRate, origin }, order) => {
      const { value, percentHundredths, usd } = slippageTolerance.destination
      const isPromised = order.tradeType === 'EXACT_OUTPUT' || order.fixedRate !== undefined
      if (isPromised) expect(slippageBps).toBe(0n)
      else if (order.slippageTolerance !== undefined)
        expect(slippageBps).toBe(order.slippageTolerance)
      expect(value).toBe((currencyOut.amount * slippageBps) / 10_000n)
      expect(currencyOut.minimumAmount).toBe(currencyOut.amount - value)
      // The shortfall of a smaller amount is too coarse.
      if (currencyOut.amount > 20_000n) expect(percentHundredths).toBe(slippageBps)
      expect(usd).toBe(worth(currencyOut.currency, value))
      if (origin.route === undefined) expect(slippageTolerance.origin.value).toBe(0n)
      const asset = assetOf(market, order.origin)
      const isSame = asset !== undefined && asset === assetOf(market, order.destination)
      const isExact = order.tradeType === 'EXACT_OUTPUT'
      if (order.fixedRate !== undefined || (isSame && isExact)) expect(isFixedRate).toBe(true)
      else if (!isExact) expect(isFixedRate).toBe(false)
    })
  })

  it('keeps the given amount, and an exact output to the unit', () => {
    forAll(({ currencyIn, currencyOut }, { amount, tradeType }) => {
      expect(currencyIn.minimumAmount).toBe(currencyIn.amount)
      expect((tradeType === 'EXACT_INPUT' ? currencyIn : currencyOut).amount).toBe(amount)
      if (tradeType === 'EXACT_OUTPUT') expect(currencyOut.minimumAmount).toBe(amount)
    })
  })

  it('names the refund currency and connects its legs', () => {
    forAll(({ execution, origin, destination, currencyIn, currencyOut, refundCurrency }) => {
      expect(origin.input).toEqual(currencyIn)
      expect(destination.output).toEqual(currencyOut)
      expect(refundCurrency).toEqual(execution === 'user' ? currencyIn : origin.output)
      for (const { route, swapSources, router } of [origin, destination]) {
        expect(swapSources.length === 0).toBe(route === undefined)
        expect(router === 'relay').toBe(route === undefined)
      }
    })
  })

  it('is sponsored completely or not at all, up to the limit of the order', () => {
    forAll(({ execution, fees }, { sponsorship }) => {
      const { relayer, subsidized } = fees
      const max = sponsorship?.maxUsd
      const isWithin = max === undefined || (relayer.usd ?? 0n) <= max
      if (sponsorship === undefined || execution === 'user') expect(subsidized.amount).toBe(0n)
      else if (subsidized.amount > 0n) {
        expect(subsidized.amount).toBe(relayer.amount)
        expect(isWithin).toBe(true)
      } else if (max === undefined) expect(relayer.amount).toBe(0n)
    })
  })

  it('tops up by the requested value, to the wei', () => {
    forAll(({ currencyGasTopup, fees }, { topup, destination }) => {
      if (topup === undefined) return expect(currencyGasTopup).toBeUndefined()
      const { currency, amount } = currencyGasTopup ?? {}
      if (currency === undefined || amount === undefined) throw new Error('No top-up')
      expect([currency.chainId, currency.address]).toEqual([destination.chainId, nativeAddress])
      const exact = (wei: bigint) => wei * usdPriceOf(currency)
      const asked = topup * 10n ** 30n
      expect(exact(amount)).toBeLessThanOrEqual(asked)
      expect(exact(amount + 1n)).toBeGreaterThan(asked)
      expect(fees.relayerGas.usd).toBeGreaterThanOrEqual((topup - 1n) as Usd)
    })
  })

  it('charges a fixed rate in basis points of the deposit and reports its cost', () => {
    forAll(({ fees, origin, expandedPriceImpact, fixedRateFee }, { fixedRate }) => {
      if (fixedRate === undefined) return expect(fixedRateFee).toBeUndefined()
      expect(fixedRateFee).toBe(-(expandedPriceImpact.service ?? 0n))
      const { currency, amount } = origin.output
      const share = worth(currency, (amount * fixedRate) / 10_000n)
      // Up to a few units of the deposit, or of a coarser payout, because of rounding.
      expect(Math.abs(Number((fixedRateFee ?? 0n) - share))).toBeLessThanOrEqual(
        5 + 3 * Number(worth(currency, 1n)),
      )
      expect(fees.relayerService.currency).toEqual(currency)
    })
  })

  it('has calls with no more value than its output', () => {
    forAll(({ currencyOut }, { txs, destination }) => {
      const value = txs.reduce((sum, tx) => sum + tx.value, 0n)
      const max = destination.address === nativeAddress ? currencyOut.amount : 0n
      expect(value).toBeLessThanOrEqual(max)
    })
  })
})
