import { expect, it } from 'vitest'
import { toAddress } from '#src/units/address.ts'
import { toUsdPrice } from '#src/units/usd.ts'
import { usdPrice } from './usdPrice.ts'

const [priced, unpriced] = ['a1', 'b1'].map((byte) => toAddress(`0x${byte.repeat(20)}`))
if (priced === undefined || unpriced === undefined) throw new Error('There are two')

it('tells what the market says, and nothing where it says nothing', () => {
  const market = { usdPrices: new Map([[priced, toUsdPrice(3n)]]) }
  expect(usdPrice(market, priced)).toBe(3n)
  expect(usdPrice(market, unpriced)).toBeUndefined()
})

it('does not take a market that is not there yet for one without prices', () => {
  expect(() => usdPrice(undefined, priced)).toThrow(
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }),
  )
})
