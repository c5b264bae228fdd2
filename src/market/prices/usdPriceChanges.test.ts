import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Pool } from '#src/core/pools/pool.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toUsd, type UsdPrice, usdValueDown } from '#src/core/units/usd.ts'
import { depthOf } from '#src/market/kinds/poolDepth.ts'
import {
  addressOf,
  currency,
  decimalsOf,
  dollar,
  dollars,
  feeds,
  type Given,
  pairOf,
  reserve,
  sourcesOf,
  unlisted,
} from '#test/support/arbitraries/pricedPools.ts'
import { runs } from '#test/support/runs.ts'
import { createUsdPrices } from './usdPrices.ts'

/** Round by round over all pools, until no currency is added. */
function model({ feeds, pools: held, decimalsOf: decimals, ...rules }: Given) {
  const prices = new Map(feeds)
  const native = feeds.get(nativeAddress) ?? feeds.get(rules.wrappedNative)
  if (native !== undefined) prices.set(rules.wrappedNative, native)
  for (;;) {
    const found = new Map<Address, Readonly<{ price: UsdPrice; depth: bigint; pool: Address }>>()
    for (const pool of held) {
      const isKnown0 = prices.has(pool.currency0)
      if (isKnown0 === prices.has(pool.currency1)) continue
      const [known, other] = isKnown0
        ? [pool.currency0, pool.currency1]
        : [pool.currency1, pool.currency0]
      const knownPrice = prices.get(known) ?? dollar
      // Alone, the pool prices the currency or does not.
      const alone = { feeds: new Map([[known, knownPrice]]), pools: [pool], decimalsOf: decimals }
      const price = createUsdPrices({ ...rules, wrappedNative: unlisted })(alone).get(other)
      const unit = decimals(known)
      if (price === undefined || unit === undefined) continue
      const { amount0, amount1 } = depthOf(pool)
      const depth = usdValueDown(toAmount(isKnown0 ? amount0 : amount1), unit, knownPrice)
      const best = found.get(other)
      const isBetter =
        best === undefined ||
        depth > best.depth ||
        (depth === best.depth && pool.address < best.pool)
      if (isBetter) found.set(other, { price, depth, pool: pool.address })
    }
    if (found.size === 0) break
    for (const [currency, { price }] of found) prices.set(currency, price)
  }
  const wrapped = prices.get(rules.wrappedNative)
  return wrapped === undefined ? prices : prices.set(nativeAddress, wrapped)
}

const sorted = (prices: ReadonlyMap<Address, UsdPrice>) => [...prices].sort()

/** A state of the chain: which pools there are, what they hold, the feeds, and a currency that cannot be read. */
const chainStates = fc.array(
  fc.record({
    present: fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
    reserves: fc.array(fc.tuple(reserve, reserve), { minLength: 24, maxLength: 24 }),
    /** Only these pools differ from the state before. */
    changed: fc.array(fc.nat(23), { maxLength: 4 }),
    comesOrGoes: fc.boolean(),
    feeds: fc.option(feeds, { nil: undefined }),
    unread: fc.option(currency.map(addressOf), { nil: undefined }),
  }),
  { minLength: 2, maxLength: 8 },
)

test('after any changes the prices equal those of a computation from scratch', () => {
  const edges = fc.array(
    fc.tuple(currency, currency).filter(([one, other]) => one !== other),
    {
      minLength: 24,
      maxLength: 24,
    },
  )
  const depth = fc.oneof(fc.constant(0n), fc.bigInt(0n, 10n ** 12n))
  const only = fc.uniqueArray(currency.map(addressOf), { maxLength: 2 })
  fc.assert(
    fc.property(edges, chainStates, depth, only, (pairs, states, minDepth, feedOnly) => {
      const rules = {
        minDepth: toUsd(minDepth),
        feedOnly: new Set(feedOnly),
        wrappedNative: addressOf(3),
      }
      const find = createUsdPrices(rules)
      let held = new Map<number, Pool>()
      let current: ReadonlyMap<Address, UsdPrice> = new Map([[addressOf(6), dollar]])
      const known = new Map<Address | undefined, object>()
      for (const [step, state] of states.entries()) {
        const next = new Map(held)
        for (const [at, pair] of pairs.entries()) {
          const isThere = step === 0 || state.comesOrGoes ? state.present[at] : held.has(at)
          const isNew = step === 0 || state.changed.includes(at) || !held.has(at)
          if (!isThere) next.delete(at)
          else if (isNew) next.set(at, pairOf(at, pair, state.reserves[at] ?? [0n, 0n]))
        }
        held = new Map([...next].sort(([one], [other]) => one - other))
        current = state.feeds ?? current
        const sources = {
          feeds: current,
          pools: [...held.values()],
          decimalsOf: (each: Address) => (each === state.unread ? undefined : decimalsOf(each)),
          known: known.get(state.unread) ?? {},
        }
        known.set(state.unread, sources.known)
        expect(sorted(find(sources))).toEqual(sorted(model({ ...rules, ...sources })))
      }
    }),
    { numRuns: runs(300, 100) },
  )
})

test('prices that stay the same are the same value', () => {
  const find = createUsdPrices(sourcesOf([]))
  const held = [pairOf(0, [6, 18], [dollars(2_000n), 10n ** 18n])]
  const prices = find(sourcesOf(held))
  expect(find(sourcesOf([...held]))).toBe(prices)
})
