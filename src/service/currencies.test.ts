import fc from 'fast-check'
import { expect, it } from 'vitest'
import { evmAddress, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { toUsdPrice } from '#src/core/units/usd.ts'
import type { CurrencyFilter } from './answers.ts'
import { searchCurrencies as search, usdPriceOf } from './currencies.ts'

const addresses = [
  nativeAddress,
  ...['a1', 'b2', 'c3'].map((byte) => toAddress(`0x${byte.repeat(20)}`)),
]
const chainId = fc.constantFrom(...[1, 2, 3].map(toChainId))
const address = fc.constantFrom(...addresses)
const word = fc.constantFrom('USDC', 'usdt', 'Dai', 'ETH', '')

const currency: fc.Arbitrary<Currency> = fc.record({
  chainId,
  address,
  symbol: word,
  name: word.map((text) => `The ${text}`),
  decimals: fc.constant(18),
  metadata: fc.record({ verified: fc.boolean(), isNative: fc.boolean() }),
})
const filter = fc.record(
  { chainIds: fc.array(chainId, { maxLength: 2 }), term: word, address, verified: fc.boolean() },
  { requiredKeys: [] },
)

/** A search that refuses no currency. */
const searchCurrencies = (all: readonly Currency[], filter: CurrencyFilter) =>
  search(all, filter, () => undefined)

it('finds exactly the currencies that match all parts of the filter', () => {
  fc.assert(
    fc.property(fc.array(currency), filter, (all, wanted) => {
      const term = wanted.term?.toLowerCase() ?? ''
      const expected = all.filter(
        (each) =>
          (wanted.chainIds?.includes(each.chainId) ?? true) &&
          (wanted.address ?? each.address) === each.address &&
          (wanted.verified ?? each.metadata.verified) === each.metadata.verified &&
          `${each.symbol} ${each.name}`.toLowerCase().includes(term),
      )
      expect(new Set(searchCurrencies(all, wanted))).toEqual(new Set(expected))
    }),
  )
})

it('finds a currency by its whole address, in any case', () => {
  fc.assert(
    fc.property(fc.array(currency), address, (all, at) => {
      const found = searchCurrencies(all, { term: ` ${at.toUpperCase().replace('X', 'x')} ` })
      expect(found).toEqual(searchCurrencies(all, { address: at }))
    }),
  )
})

it('sorts native before verified before other currencies, independent of the input order', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(currency, { selector: ({ chainId, address }) => `${chainId}${address}` }),
      (all) => {
        const sorted = searchCurrencies(all, {})
        const ranks = sorted.map(({ chainId, metadata: { isNative, verified } }) =>
          [chainId, isNative ? 0 : 1, verified ? 0 : 1].join(),
        )
        expect(ranks).toEqual([...ranks].sort())
        expect(searchCurrencies(all.toReversed(), {})).toEqual(sorted)
      },
    ),
  )
})

it('sorts refused currencies last on their chain, and never calls one verified', () => {
  fc.assert(
    fc.property(fc.array(currency), fc.func(fc.boolean()), (all, isBad) => {
      const refusal = (_: number, address: string) =>
        isBad(address) ? 'It takes a fee' : undefined
      const isRefused = (each: Currency) => refusal(each.chainId, each.address) !== undefined
      const found = search(all, {}, refusal)
      expect(found.length).toBe(all.length)
      expect(found.filter((each) => isRefused(each) && each.metadata.verified)).toEqual([])
      const ranks = found.map((each) => [each.chainId, isRefused(each) ? 1 : 0].join())
      expect(ranks).toEqual([...ranks].sort())
      expect(search(all, { verified: true }, refusal).filter(isRefused)).toEqual([])
    }),
  )
})

it('finds currencies by several addresses', () => {
  fc.assert(
    fc.property(fc.array(currency), fc.array(address, { maxLength: 3 }), (all, addresses) => {
      expect(new Set(searchCurrencies(all, { addresses }))).toEqual(
        new Set(all.filter((each) => addresses.includes(evmAddress(each.address)))),
      )
    }),
  )
})

it('returns the price of the market, and undefined for a currency without one', () => {
  const [priced, unpriced] = ['a1', 'b1'].map((byte) => toAddress(`0x${byte.repeat(20)}`))
  if (priced === undefined || unpriced === undefined) throw new Error('Two addresses are needed')
  const market = { usdPrices: new Map([[priced, toUsdPrice(3n)]]) }
  expect(usdPriceOf(market, priced)).toBe(3n)
  expect(usdPriceOf(market, unpriced)).toBeUndefined()
})

it('fails before the market is loaded', () => {
  expect(() => usdPriceOf(undefined, nativeAddress)).toThrow(
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }),
  )
})
