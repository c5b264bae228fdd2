import { expect, it } from 'vitest'
import type { Market } from '#src/core/pricing/market.ts'
import type { MultiOrder, Origin } from '#src/core/pricing/order.ts'
import { priceMulti } from '#src/core/pricing/priceMulti.ts'
import { toAmount } from '#src/core/units/amount.ts'
import {
  account,
  currencyOf,
  destinationChain,
  originChain,
  wideMarket,
} from '#test/support/fixtures/markets.ts'

const long = currencyOf(originChain, 'LONG')

/** The market without a price of LONG in dollars. */
function unpriced(): Market {
  const chain = wideMarket.chains.get(originChain)
  if (chain === undefined) throw new Error('The market lacks the chain')
  const usdPrices = new Map(chain.usdPrices)
  usdPrices.delete(long.address)
  return {
    ...wideMarket,
    chains: new Map([...wideMarket.chains, [originChain, { ...chain, usdPrices }]]),
  }
}

const originOf = (currency: Origin['currency'], amount: bigint): Origin => ({
  user: account('1'),
  refundTo: account('1'),
  currency,
  amount: toAmount(amount),
})

const order = (origins: readonly Origin[], output?: bigint): MultiOrder => ({
  user: account('1'),
  recipient: account('4'),
  origins,
  destination: currencyOf(destinationChain, 'WBTC'),
  originGasOverhead: 0n,
  txs: [],
  ...(output !== undefined && { output: toAmount(output) }),
})

it('an origin without a price is worth what its own legs give before fees, rounded down', () => {
  const origin = originOf(long, 4_000n * 10n ** 18n)
  const { originValueOf, currencyOut } = priceMulti(order([origin]), unpriced())
  const value = originValueOf(origin, origin.amount)
  expect(value).toBeGreaterThan(currencyOut.amount)
  expect(Number(value) / Number(currencyOut.amount)).toBeLessThan(1.05)
  expect(originValueOf(origin, toAmount(origin.amount / 2n))).toBe(value / 2n)
  expect(originValueOf(origin, toAmount(0n))).toBe(0n)
})

it('an origin without a price that pays nothing in has no value', () => {
  const [paying, idle] = [
    originOf(currencyOf(originChain, 'USDC'), 10_000_000_000n),
    originOf(long, 10n ** 18n),
  ]
  const { originValueOf, pricedOrigins } = priceMulti(order([paying, idle], 1_000_000n), unpriced())
  expect(pricedOrigins.map(({ leg }) => leg.input.currency.symbol)).toEqual(['USDC'])
  expect(originValueOf(idle, idle.amount)).toBe(0n)
  expect(originValueOf(paying, paying.amount)).toBeGreaterThan(0n)
})
