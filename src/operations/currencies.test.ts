import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nativeAddress, toAddress } from '#src/units/address.ts'
import { toChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import { searchCurrencies } from './currencies.ts'

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

it('gives those that every part of the filter lets pass, all of them', () => {
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

it('finds by a whole address as well, in any case', () => {
  fc.assert(
    fc.property(fc.array(currency), address, (all, at) => {
      const found = searchCurrencies(all, { term: ` ${at.toUpperCase().replace('X', 'x')} ` })
      expect(found).toEqual(searchCurrencies(all, { address: at }))
    }),
  )
})

it('puts native before verified before others, and sorts the same whatever came first', () => {
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
