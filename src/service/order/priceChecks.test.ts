import { expect, it } from 'vitest'
import { quoteInput } from '#src/service/input/quoteInput.ts'
import { quote } from '#src/service/quote/quote.ts'
import {
  account,
  currencyOf,
  destinationChain,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { client, createQuoteDeps, loaders } from '#test/support/fixtures/quoteDeps.ts'

/** 100 USDC across two chains. */
const across = (symbol: 'USDC' | 'USDT' | 'LONG') => ({
  user: account('1'),
  originChainId: originChain,
  originCurrency: currencyOf(originChain, 'USDC').address,
  destinationChainId: destinationChain,
  destinationCurrency: currencyOf(destinationChain, symbol).address,
  amount: '100000000',
  tradeType: 'EXACT_INPUT',
})

/** The outcome of a quote with a key that has these rights, or without one. */
async function outcomeOf(fields: object, rights?: { discounts: boolean }) {
  const identify = () => rights && { name: 'app', sponsors: true, ...rights }
  const { deps } = createQuoteDeps({ identify })
  return quote(deps, quoteInput.parse(fields), loaders, client).then(
    () => 'quoted',
    ({ code, data }) => [code, data],
  )
}

const refused = (least: string) => ['FORBIDDEN', { field: 'fixedRate', least }]

it('is at least the fee schedule without a key that discounts: $1.92 of fees became $0.41', async () => {
  for (const rights of [undefined, { discounts: false }]) {
    const ask = (symbol: 'USDC' | 'USDT' | 'LONG', fixedRate: string) =>
      outcomeOf({ ...across(symbol), fixedRate }, rights)
    expect(await ask('USDT', '0')).toEqual(refused('1'))
    expect(await ask('USDT', '1')).toBe('quoted')
    expect(await ask('LONG', '14')).toEqual(refused('15'))
    expect(await ask('LONG', '15')).toBe('quoted')
    expect(await ask('LONG', '16')).toBe('quoted')
    // One asset has no proportional fee.
    expect(await ask('USDC', '0')).toBe('quoted')
  }
  const sponsored = { ...across('USDT'), subsidizeFees: true, fixedRate: '0' }
  expect(await outcomeOf(sponsored, { discounts: false })).toEqual(refused('1'))
})

it('is any rate for a key that discounts', async () => {
  expect(await outcomeOf({ ...across('LONG'), fixedRate: '0' }, { discounts: true })).toBe('quoted')
})
