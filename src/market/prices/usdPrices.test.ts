import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Pool } from '#src/core/pools/pool.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { concentratedPool } from '#test/support/arbitraries/poolArbitrary.ts'
import {
  addressOf,
  currency,
  dollar,
  dollars,
  feeds,
  findUsdPrices,
  type Given,
  pairOf,
  pools,
  sourcesOf,
} from '#test/support/arbitraries/pricedPools.ts'

test('feed prices are unchanged', () => {
  fc.assert(
    fc.property(pools, feeds, (drawn, feedPrices) => {
      const prices = findUsdPrices(sourcesOf(drawn, { feeds: feedPrices }))
      for (const [address, price] of feedPrices) expect(prices.get(address)).toBe(price)
    }),
  )
})

test('the order of the pools does not matter', () => {
  const shuffled = pools.chain((drawn) =>
    fc.tuple(fc.constant(drawn), fc.shuffledSubarray(drawn, { minLength: drawn.length })),
  )
  fc.assert(
    fc.property(shuffled, feeds, ([drawn, again], feedPrices) => {
      const one = findUsdPrices(sourcesOf(drawn, { feeds: feedPrices }))
      const other = findUsdPrices(sourcesOf(again, { feeds: feedPrices }))
      expect(new Map([...one].sort())).toEqual(new Map([...other].sort()))
    }),
  )
})

/** The currencies that only the greater minimum depth prices, but for those with a neighbour of another price. */
function moreBy(depth: bigint, held: readonly Pool[], more: Partial<Given> = {}): Address[] {
  const loose = findUsdPrices(sourcesOf(held, more))
  const strict = findUsdPrices(sourcesOf(held, { ...more, minDepth: toUsd(depth) }))
  const isSame = (each: Address) => strict.get(each) === loose.get(each)
  const neighboursOf = (each: Address) =>
    held.flatMap(({ currency0, currency1 }) => {
      if (currency0 === each) return [currency1]
      return currency1 === each ? [currency0] : []
    })
  const isPlain = (each: Address) =>
    neighboursOf(each)
      .filter((other) => strict.has(other))
      .every(isSame)
  return [...strict.keys()].filter((each) => !loose.has(each) && isPlain(each))
}

test('a greater minimum depth prices more currencies only through other prices', () => {
  fc.assert(
    fc.property(pools, feeds, fc.bigInt(0n, 10n ** 12n), (drawn, feedPrices, depth) => {
      expect(moreBy(depth, drawn, { feeds: feedPrices })).toEqual([])
    }),
  )
})

test('a greater minimum depth can price a currency whose only neighbour a shallow pool made worthless', () => {
  // The shallow pool calls 10 worth almost nothing, so that the pool of 10 and 11 has no depth.
  const shallow = pairOf(0, [6, 10], [1_000n, 10n ** 25n])
  const around = pairOf(1, [6, 18], [dollars(1_000n), 10n ** 18n])
  const deep = pairOf(2, [18, 10], [10n ** 18n, 10n ** 13n])
  const last = pairOf(3, [10, 11], [10n ** 9n, 10n ** 10n])
  const all = [shallow, around, deep, last]
  const pricedAt = (depth: bigint) =>
    findUsdPrices(sourcesOf(all, { minDepth: toUsd(depth) })).has(addressOf(11))
  expect([pricedAt(0n), pricedAt(1_000n)]).toEqual([false, true])
})

test('without a feed nothing has a price', () => {
  fc.assert(
    fc.property(pools, (drawn) => {
      expect(findUsdPrices(sourcesOf(drawn, { feeds: new Map() }))).toEqual(new Map())
    }),
  )
})

test('both reserves of a pair are worth the same, up to the rounding of the price', () => {
  const deep = fc.bigInt(10n ** 9n, 10n ** 24n)
  fc.assert(
    fc.property(currency, deep, deep, (other, known, unknown) => {
      fc.pre(other !== 6)
      const pair = pairOf(0, [6, other], [known, unknown])
      const price = findUsdPrices(sourcesOf([pair])).get(addressOf(other)) ?? 0n
      const worth = known * 10n ** 12n
      const derived = (price * unknown) / 10n ** BigInt(other)
      const oneUnitOfPrice = unknown / 10n ** BigInt(other) + 1n
      expect(derived).toBeLessThanOrEqual(worth)
      expect(derived + oneUnitOfPrice).toBeGreaterThanOrEqual(worth)
    }),
  )
})

test('a concentrated pool prices both ways alike', () => {
  fc.assert(
    fc.property(concentratedPool, (pool) => {
      const both = { ...sourcesOf([pool]), decimalsOf: () => 18 }
      const up = findUsdPrices({ ...both, feeds: new Map([[pool.currency1, dollar]]) })
      const down = findUsdPrices({ ...both, feeds: new Map([[pool.currency0, dollar]]) })
      const one = up.get(pool.currency0)
      const other = down.get(pool.currency1)
      if (one === undefined || other === undefined) return
      // Each is rounded down by less than one.
      expect(one * other).toBeLessThanOrEqual(10n ** 36n)
      expect((one + 1n) * (other + 1n)).toBeGreaterThanOrEqual(10n ** 36n)
    }),
  )
})

test('the deepest pool decides, and a shallow one never does', () => {
  const shallow = pairOf(0, [6, 18], [dollars(50n), 10n ** 18n])
  const deep = pairOf(1, [6, 18], [dollars(2_000n), 10n * 10n ** 18n])
  const deepest = pairOf(2, [6, 18], [dollars(3_000n), 10n * 10n ** 18n])
  const priceBy = (held: readonly Pool[], minDepth = toUsd(dollars(100n))) =>
    findUsdPrices(sourcesOf(held, { minDepth })).get(addressOf(18))
  expect(priceBy([shallow])).toBeUndefined()
  expect(priceBy([shallow, deep])).toBe(200n * 10n ** 18n)
  expect(priceBy([shallow, deep, deepest])).toBe(300n * 10n ** 18n)
  // 29.3% of 3,000 dollars can leave the pool before the price has doubled.
  expect(priceBy([deepest], toUsd(dollars(878n)))).toBe(300n * 10n ** 18n)
  expect(priceBy([deepest], toUsd(dollars(879n)))).toBeUndefined()
})

test('prices pass through several pools, and the fewest hops from a feed win', () => {
  const toTen = pairOf(0, [6, 10], [dollars(1_000n), 10n ** 13n])
  const toEleven = pairOf(1, [10, 11], [10n ** 13n, 10n ** 14n])
  const around = pairOf(2, [6, 11], [dollars(10n), 5n * 10n ** 11n])
  const price = findUsdPrices(sourcesOf([toTen, toEleven])).get(addressOf(11))
  expect(price).toBe(10n ** 18n)
  const nearer = findUsdPrices(sourcesOf([toTen, toEleven, around])).get(addressOf(11))
  expect(nearer).toBe(2n * 10n ** 18n)
})

test('native and wrapped native have the same price, whichever is known', () => {
  const wrapped = addressOf(18)
  const more = { wrappedNative: wrapped }
  const fromNative = findUsdPrices(
    sourcesOf([], { ...more, feeds: new Map([[nativeAddress, dollar]]) }),
  )
  expect(fromNative.get(wrapped)).toBe(dollar)
  const fromWrapped = findUsdPrices(sourcesOf([], { ...more, feeds: new Map([[wrapped, dollar]]) }))
  expect(fromWrapped.get(nativeAddress)).toBe(dollar)
  const pool = pairOf(0, [6, 18], [dollars(2_000n), 10n ** 18n])
  const fromPool = findUsdPrices(sourcesOf([pool], more))
  expect(fromPool.get(nativeAddress)).toBe(2_000n * 10n ** 18n)
})

test('no pool prices a currency that needs a feed, nor others through it', () => {
  const toTen = pairOf(0, [6, 10], [dollars(1_000n), 10n ** 13n])
  const toEleven = pairOf(1, [10, 11], [10n ** 13n, 10n ** 14n])
  const feedOnly = new Set([addressOf(10)])
  const prices = findUsdPrices(sourcesOf([toTen, toEleven], { feedOnly }))
  expect([...prices.keys()]).not.toContain(addressOf(10))
  expect([...prices.keys()]).not.toContain(addressOf(11))
  const feeds = new Map([[addressOf(10), dollar]])
  expect(findUsdPrices(sourcesOf([toTen, toEleven], { feeds, feedOnly })).size).toBeGreaterThan(2)
})

test('a currency without readable decimals has no price', () => {
  const pool = pairOf(0, [6, 18], [dollars(2_000n), 10n ** 18n])
  const none = (address: Address) => (address === addressOf(18) ? undefined : 6)
  expect(findUsdPrices(sourcesOf([pool], { decimalsOf: none })).has(addressOf(18))).toBe(false)
})
