import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { pageOf } from './currencyQueries.ts'

const currencyAt = (place: number): Currency => ({
  chainId: toChainId(1 + (place % 3)),
  address: toAddress(`0x${place.toString(16).padStart(40, '0')}`),
  symbol: 'X',
  name: 'X',
  decimals: 18,
  metadata: { verified: false, isNative: false },
})

it('returns every item exactly once over consecutive pages', () => {
  fc.assert(
    fc.property(fc.nat(50), fc.integer({ min: 1, max: 20 }), (length, first) => {
      const list = Array.from({ length }, (_, place) => currencyAt(place))
      const found: Currency[] = []
      let after: string | undefined
      for (let isLast = false; !isLast; ) {
        const page = pageOf(list, { first, after })
        expect(page.totalCount).toBe(length)
        expect(page.items.length).toBeLessThanOrEqual(first)
        found.push(...page.items)
        isLast = page.isLast
        after = page.endCursor
      }
      expect(found).toEqual(list)
    }),
  )
})

it('returns the same next page after the list changes before it', () => {
  const list = Array.from({ length: 6 }, (_, place) => currencyAt(place))
  const { endCursor: after } = pageOf(list, { first: 3, after: undefined })
  expect(pageOf(list.slice(2), { first: 3, after }).items).toEqual(list.slice(3))
})

it('has no end cursor on an empty page', () => {
  expect(pageOf([currencyAt(1)], { first: 0, after: undefined })).toMatchObject({
    endCursor: undefined,
    isLast: false,
  })
})
