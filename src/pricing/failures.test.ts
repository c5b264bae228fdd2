import { describe, expect, it } from 'vitest'
import { AppError } from '#src/errors.ts'
import type { Address } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import {
  account,
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/fixtures/markets.ts'
import { attempt, example, withChain } from '#test/fixtures/orders.ts'
import type { Market } from './market.ts'
import type { Order } from './order.ts'

describe('priceSwap refuses with a code', () => {
  const failureOf = (change: Partial<Order>, on: Market = market) => {
    const failure = attempt({ ...example(), ...change }, on)
    if (!(failure instanceof AppError)) throw new Error('It was priced')
    return `${failure.code}: ${failure.message}`
  }

  it('an amount that the fees eat up', () => {
    expect(failureOf({ amount: toAmount(5n) })).toMatchInlineSnapshot()
  })

  it('the same currency of the same account', () => {
    const { origin } = example()
    expect(failureOf({ destination: origin })).toMatchInlineSnapshot()
  })

  it('more than the solver holds', () => {
    expect(failureOf({ amount: toAmount(10n ** 13n) })).toMatchInlineSnapshot()
  })

  it('more than the pools hold', () => {
    expect(
      failureOf({
        tradeType: 'EXACT_OUTPUT',
        destination: currencyOf(destinationChain, 'DUST'),
        amount: toAmount(10n ** 12n),
      }),
    ).toMatchInlineSnapshot()
  })

  it('a currency that no pool trades', () => {
    const unknown = {
      ...currencyOf(destinationChain, 'LONG'),
      address: account('9'),
      symbol: 'NIL',
    }
    expect(failureOf({ destination: unknown })).toMatchInlineSnapshot()
  })

  it('a currency that is refused', () => {
    const { origin } = example()
    const refusedCurrencies = new Map([[origin.address, 'its transfers take a fee']])
    expect(failureOf({}, withChain(originChain, { refusedCurrencies }))).toMatchInlineSnapshot()
  })

  it('a pair of chains with no asset between them', () => {
    expect(failureOf({}, { ...market, assets: [] })).toMatchInlineSnapshot()
  })

  it('a fee that cannot be converted', () => {
    const usdPrices = new Map<Address, never>()
    expect(failureOf({}, withChain(originChain, { usdPrices }))).toMatchInlineSnapshot()
  })
})
