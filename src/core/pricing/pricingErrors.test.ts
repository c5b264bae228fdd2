import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Address } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import {
  account,
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { attempt, example, withChain } from '#test/support/orders/orders.ts'
import type { Market } from './market.ts'
import type { Order } from './order.ts'

describe('priceSwap', () => {
  const failureOf = (change: Partial<Order>, on: Market = market) => {
    const failure = attempt({ ...example(), ...change }, on)
    if (!(failure instanceof AppError)) throw new Error('It was priced')
    return `${failure.code}: ${failure.message}`
  }

  it('rejects an amount that does not cover fees', () => {
    expect(failureOf({ amount: toAmount(5n) })).toMatchInlineSnapshot(
      `"AMOUNT_TOO_LOW: The amount does not cover the fees of 0.841414 USDC. The smallest input that works is about 0.841415 USDC."`,
    )
  })

  it('rejects a payment of a currency to its own sender', () => {
    const { origin } = example()
    expect(failureOf({ destination: origin })).toMatchInlineSnapshot(
      `"UNSUPPORTED_ROUTE: Origin and destination are both USDC on chain 990001, and recipient is user: name another recipient to send, or another currency to swap."`,
    )
  })

  it('rejects a payout above the balance of the solver', () => {
    expect(failureOf({ amount: toAmount(10n ** 13n) })).toMatchInlineSnapshot(
      `"INSUFFICIENT_LIQUIDITY: The destination leg needs 2764.28987419604847082 ETH on chain 990002; the solver holds 1000.0 ETH. The largest amount that works is about 3143795.844117 USDC."`,
    )
  })

  it.each([
    ['the solver has too little', 10n ** 14n, 'INSUFFICIENT_LIQUIDITY'],
    ['the deposit is above the limit', 10n ** 10n, 'SOLVER_CAPACITY_EXCEEDED'],
  ])('names an input whose deposit can be settled where %s', (_, units, code) => {
    const limit = 10n ** 9n
    const of = (amount: bigint) =>
      new Map([[currencyOf(originChain, 'USDC').address, toAmount(amount)]])
    // Half of the limit is left: 24 hours of it may wait for their settlement.
    for (const unsettled of [0n, (limit * 47n) / 2n]) {
      const settlement = { outflowLimits: of(limit), unsettled: of(unsettled) }
      const limited = withChain(originChain, { settlement })
      const failure = attempt({ ...example(), amount: toAmount(units) }, limited)
      if (!(failure instanceof AppError)) throw new Error('It was priced')
      expect(failure.code).toBe(code)
      const amount = toAmount(BigInt(String(failure.data?.['maxAmount'])))
      expect(attempt({ ...example(), amount }, limited)).not.toBeInstanceOf(AppError)
      const more = toAmount((amount * 11n) / 10n)
      expect(attempt({ ...example(), amount: more }, limited)).toBeInstanceOf(AppError)
    }
  })

  it('rejects every amount while the solver has no balance', () => {
    const solverBalances = new Map<Address, never>()
    expect(failureOf({}, withChain(destinationChain, { solverBalances }))).toMatchInlineSnapshot(
      `"INSUFFICIENT_LIQUIDITY: The destination leg needs 99.158586 USDC on chain 990002; the solver holds 0.0 USDC."`,
    )
  })

  it('rejects an output above what the pools hold', () => {
    expect(
      failureOf({
        tradeType: 'EXACT_OUTPUT',
        destination: currencyOf(destinationChain, 'DUST'),
        amount: toAmount(10n ** 12n),
      }),
    ).toMatchInlineSnapshot(
      `"NO_SWAP_ROUTES_FOUND: No swap route found (destination leg: chain 990002, USDT to DUST): the pools are too shallow for 10000000000.0 DUST; the largest amount that works is about 714214.27 DUST."`,
    )
  })

  it('rejects a currency that no pool trades', () => {
    const unknown = {
      ...currencyOf(destinationChain, 'LONG'),
      address: account('9'),
      symbol: 'NIL',
    }
    expect(failureOf({ destination: unknown })).toMatchInlineSnapshot(
      `"NO_SWAP_ROUTES_FOUND: No swap route found (destination leg: chain 990002, USDC to NIL): no pools connect the two within 4 hops."`,
    )
  })

  it('rejects an unsupported currency', () => {
    const { origin } = example()
    const refusedCurrencies = new Map([[origin.address, 'its transfers take a fee']])
    expect(failureOf({}, withChain(originChain, { refusedCurrencies }))).toMatchInlineSnapshot(
      `"UNSUPPORTED_CURRENCY: USDC on chain 990001 (originCurrency) is not supported: its transfers take a fee"`,
    )
  })

  it('rejects two chains without a common asset', () => {
    expect(failureOf({}, { ...market, assets: [] })).toMatchInlineSnapshot(
      `"UNSUPPORTED_ROUTE: The solver has no currency that it takes on chain 990001 and pays out on chain 990002."`,
    )
  })

  it.each([
    ['on another chain', {}],
    ['on the same chain', { destination: currencyOf(originChain, 'USDT') }],
  ])('rejects an exact output %s if app fees take the whole input', (_, change) => {
    const appFees = [{ recipient: account('9'), fee: toBps(10_000n) }]
    expect(failureOf({ ...change, tradeType: 'EXACT_OUTPUT', appFees })).toMatch(
      /^AMOUNT_TOO_LOW: /,
    )
  })

  it('rejects an order whose fee cannot be converted', () => {
    const usdPrices = new Map<Address, never>()
    expect(failureOf({}, withChain(originChain, { usdPrices }))).toMatchInlineSnapshot(
      `"PRICE_FETCH_FAILED: No current price of ETH on chain 990001: its price feed is out of date, and no pool is both allowed and deep enough to price it."`,
    )
  })
})
