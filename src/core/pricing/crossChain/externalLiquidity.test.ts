import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { currencyOf, destinationChain, market } from '#test/support/fixtures/markets.ts'
import { anyOrders, attempt, essence, example, withChain } from '#test/support/orders/orders.ts'
import { runs } from '#test/support/runs.ts'

const seconds = 3_600
const patient = (order: Order): Order => ({ ...order, externalLiquiditySeconds: seconds })

/** The market with only these balances of the solver, and none of other currencies. */
const holding = (amounts: Readonly<Record<string, bigint>>): Market =>
  withChain(destinationChain, {
    solverBalances: new Map(
      Object.entries(amounts).map(([symbol, amount]) => [
        currencyOf(destinationChain, symbol as 'USDC').address,
        toAmount(amount),
      ]),
    ),
  })

const priceOf = (order: Order, on: Market) => {
  const price = attempt(order, on)
  if (price instanceof AppError) throw price
  return price
}

describe('a quote beyond the balance of the solver', () => {
  const poor = holding({ USDC: 1_000_000n })

  it('is refused unless the order may wait, and then takes as many more seconds as the order allows', () => {
    expect(attempt(example(), poor)).toMatchObject({ code: 'INSUFFICIENT_LIQUIDITY' })
    const rich = priceOf(example(), market)
    const price = priceOf(patient(example()), poor)
    expect(price.awaitsLiquidity).toBe(true)
    expect(price.timeEstimate).toBe(rich.timeEstimate + seconds)
    expect(price.currencyOut).toEqual(rich.currencyOut)
  })

  it.each<[string, Partial<Order>]>([
    ['an exact output', { tradeType: 'EXACT_OUTPUT' }],
    ['a sponsored order', { sponsorship: {} }],
    ['a gas top-up', { topup: toUsd(2_000_000n) }],
  ])('is given for %s too', (_, change) => {
    const on = change.topup === undefined ? poor : holding({ USDC: 10n ** 12n })
    expect(attempt({ ...example(), ...change }, on)).toMatchObject({
      code: 'INSUFFICIENT_LIQUIDITY',
    })
    expect(priceOf(patient({ ...example(), ...change }), on).awaitsLiquidity).toBe(true)
  })

  it('does not wait if another asset can be paid out', () => {
    const other = holding({ ETH: 10n ** 30n })
    const price = priceOf(patient(example()), other)
    expect(price.awaitsLiquidity).toBe(false)
    expect(price).toMatchObject({ ...priceOf(example(), other), order: expect.anything() })
  })
})

it('changes no price that the solver’s balance allows', () =>
  fc.assert(
    fc.property(anyOrders, (order) => {
      const plain = attempt(order)
      fc.pre(!(plain instanceof AppError))
      expect(essence(attempt(patient(order)))).toEqual(essence(plain))
    }),
    { numRuns: runs(50) },
  ))
