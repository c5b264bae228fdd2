import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { market } from '#test/support/fixtures/markets.ts'
import { attempt, example, orders } from '#test/support/orders/orders.ts'
import { runs } from '#test/support/runs.ts'
import { assetOf } from './market.ts'
import type { Order } from './order.ts'
import type { Price } from './price.ts'
import { priceSwap } from './priceSwap.ts'

const exactInputs = orders.filter(({ tradeType }) => tradeType === 'EXACT_INPUT')

const forPrices = (check: (price: Price, order: Order) => void, numRuns = 1000) =>
  fc.assert(
    fc.property(orders, (order) => {
      const price = attempt(order)
      if (!(price instanceof AppError)) check(price, order)
    }),
    { numRuns: runs(numRuns, numRuns / 4) },
  )

describe('priceSwap', () => {
  it('prices most orders of the fixture', () => {
    const failures = fc
      .sample(orders, 500)
      .map((order) => attempt(order))
      .filter((price) => price instanceof AppError)
    expect(failures.length).toBeLessThan(250)
  })

  it('is deterministic', () => {
    forPrices((price, order) => expect(priceSwap(order, market)).toEqual(price), 200)
  })

  it('relayer is relayerGas plus relayerService', () => {
    forPrices(({ fees }) => {
      expect(fees.relayer.amount).toBe(fees.relayerGas.amount + fees.relayerService.amount)
      for (const fee of Object.values(fees)) expect(fee.minimumAmount).toBe(fee.amount)
    })
  })

  it('charges an order of one asset exactly the relayer and app fees', () => {
    forPrices(({ fees, currencyIn, currencyOut }, { origin, destination }) => {
      if (assetOf(market, origin) !== assetOf(market, destination)) return
      if (origin.decimals !== destination.decimals || fees.app.currency.address !== origin.address)
        return
      if (fees.gas.amount === 0n) return
      const rest = currencyIn.amount - fees.relayer.amount - fees.app.amount
      expect(currencyOut.amount).toBe(rest)
    })
  })

  it('derives the impacts from both amounts and the fees', () => {
    forPrices(({ fees, currencyIn, currencyOut, totalImpact, swapImpact }) => {
      const worth = ({ usd }: { usd: bigint | undefined }) => usd ?? 0n
      const total = worth(currencyOut) - worth(currencyIn)
      expect(totalImpact?.usd).toBe(total)
      expect(swapImpact?.usd).toBe(total + worth(fees.relayer) + worth(fees.app))
    })
  })

  it('takes the slippage from the output, rounded down', () => {
    forPrices(
      (
        { currencyOut, slippageBps, slippageTolerance },
        { slippageTolerance: asked, tradeType },
      ) => {
        const { value, percentHundredths } = slippageTolerance.destination
        if (tradeType !== 'EXACT_OUTPUT' && asked !== undefined) expect(slippageBps).toBe(asked)
        expect(value).toBe((currencyOut.amount * slippageBps) / 10_000n)
        expect(currencyOut.minimumAmount).toBe(currencyOut.amount - value)
        // The shortfall of a smaller amount is too coarse.
        if (currencyOut.amount > 20_000n) expect(percentHundredths).toBe(slippageBps)
      },
    )
  })

  it('keeps the given amount, and an exact output to the unit', () => {
    forPrices(({ currencyIn, currencyOut, slippageTolerance }, { amount, tradeType }) => {
      expect(currencyIn.minimumAmount).toBe(currencyIn.amount)
      expect((tradeType === 'EXACT_INPUT' ? currencyIn : currencyOut).amount).toBe(amount)
      if (tradeType !== 'EXACT_OUTPUT') return
      expect(currencyOut.minimumAmount).toBe(amount)
      expect(slippageTolerance.origin.value).toBe(0n)
    })
  })

  it('connects its legs', () => {
    forPrices(({ origin, destination, currencyIn, currencyOut, fees, blocks }, order) => {
      expect(origin.input.amount).toBe(currencyIn.amount)
      expect(destination.output.amount).toBe(currencyOut.amount)
      const crosses = order.origin.chainId !== order.destination.chainId
      expect(blocks.length).toBe(crosses ? 2 : 1)
      if (!crosses) return expect(fees.relayer.amount).toBe(0n)
      const rest = origin.output.amount - fees.relayer.amount - fees.app.amount
      const scaled = (from: number, to: number, amount: bigint) =>
        (amount * 10n ** BigInt(to)) / 10n ** BigInt(from)
      const { decimals } = origin.output.currency
      expect(destination.input.amount).toBe(
        scaled(decimals, destination.input.currency.decimals, rest),
      )
    })
  })

  it('never gives less output for more input', () => {
    fc.assert(
      fc.property(exactInputs, fc.bigInt(1n, 10n ** 9n), (order, more) => {
        const small = attempt(order)
        const large = attempt({ ...order, amount: toAmount(order.amount + more) })
        if (small instanceof AppError || large instanceof AppError) return
        expect(large.currencyOut.amount).toBeGreaterThanOrEqual(small.currencyOut.amount)
      }),
      { numRuns: runs(300) },
    )
  })

  it('names the smallest amount that works', () => {
    const low = { ...example(), amount: toAmount(10n) }
    const failure = attempt(low)
    expect(failure).toBeInstanceOf(AppError)
    const data = failure instanceof AppError ? failure.data : undefined
    const minAmount = BigInt(String(data?.['minAmount']))
    expect(data).toMatchObject({
      minAmountCurrency: { chainId: low.origin.chainId, address: low.origin.address },
      leastAmount: `${minAmount}`,
    })
    expect(attempt({ ...low, amount: toAmount(minAmount) })).not.toBeInstanceOf(AppError)
  })
})
