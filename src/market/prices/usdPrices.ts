import { depthOf } from '#src/market/pools/poolDepth.ts'
import type { Pool } from '#src/pools/pool.ts'
import { spotPrice } from '#src/pools/spotPrice.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { toUsdPrice, type Usd, type UsdPrice, usdValueDown } from '#src/units/usd.ts'

export type PriceSources = Readonly<{
  /** Prices from feeds, trusted as they are. */
  feeds: ReadonlyMap<Address, UsdPrice>
  pools: Iterable<Pool>
  /** Undefined for an unknown currency, which gets no price. */
  decimalsOf: (currency: Address) => number | undefined
  /** Minimum depth, in USD, of a pool that prices a currency: see `PoolDepth`. */
  minDepth: Usd
  wrappedNative: Address
  /** Currencies that no pool may price: without a feed they have no price. */
  feedOnly: ReadonlySet<Address>
}>

/**
 * The USD prices of currencies, from feeds and pools. Feeds come first. Then each currency with a pool against a
 * priced currency gets the price of its deepest such pool, and so on until no currency is added; those in `feedOnly`
 * never do. Prices are rounded down. Currencies with a price of 0, or without a deep enough pool, are left out. The
 * native and the wrapped native currency have the same price.
 */
export function findUsdPrices(sources: PriceSources): ReadonlyMap<Address, UsdPrice> {
  const { feeds, wrappedNative } = sources
  const prices = new Map(feeds)
  const nativePrice = feeds.get(nativeAddress) ?? feeds.get(wrappedNative)
  if (nativePrice !== undefined) prices.set(wrappedNative, nativePrice)
  let pools = [...sources.pools]
  let found: ReadonlyMap<Address, Quotation>
  do {
    pools = pools.filter(
      ({ currency0, currency1 }) => !prices.has(currency0) || !prices.has(currency1),
    )
    found = deepestQuotations(sources, prices, pools)
    for (const [currency, { price }] of found) prices.set(currency, price)
  } while (found.size > 0)
  const wrappedPrice = prices.get(wrappedNative)
  return wrappedPrice === undefined ? prices : prices.set(nativeAddress, wrappedPrice)
}

/** The price of a currency in one pool. */
type Quotation = Readonly<{ price: UsdPrice; depth: Usd; pool: Address }>

/** The quotation of the deepest pool, for each unpriced currency with a deep enough pool against a priced one. */
function deepestQuotations(
  sources: PriceSources,
  prices: ReadonlyMap<Address, UsdPrice>,
  pools: readonly Pool[],
): ReadonlyMap<Address, Quotation> {
  const deepest = new Map<Address, Quotation>()
  for (const pool of pools) {
    const price0 = prices.get(pool.currency0)
    const price1 = prices.get(pool.currency1)
    const knownPrice = price0 ?? price1
    if (knownPrice === undefined) continue
    const currency = price0 === undefined ? pool.currency0 : pool.currency1
    if (sources.feedOnly.has(currency)) continue
    const quotation = quote(sources, pool, price0 === undefined, knownPrice)
    const best = deepest.get(currency)
    if (quotation !== undefined && (best === undefined || isDeeper(quotation, best)))
      deepest.set(currency, quotation)
  }
  return deepest
}

/** The pool address breaks ties, so that the order of the pools does not matter. */
const isDeeper = (one: Quotation, other: Quotation): boolean =>
  one.depth > other.depth || (one.depth === other.depth && one.pool < other.pool)

/** The price of currency0 in `pool` if `ofCurrency0`, else of currency1. `knownPrice` is the price of the other one. */
function quote(
  { decimalsOf, minDepth }: PriceSources,
  pool: Pool,
  ofCurrency0: boolean,
  knownPrice: UsdPrice,
): Quotation | undefined {
  const decimals0 = decimalsOf(pool.currency0)
  const decimals1 = decimalsOf(pool.currency1)
  if (decimals0 === undefined || decimals1 === undefined) return undefined
  const terms = { ofCurrency0, knownPrice, decimals0, decimals1 }
  let known = memo.get(pool)
  if (known === undefined || !isSame(known.terms, terms)) {
    known = { terms, quotation: derive(pool, terms) }
    memo.set(pool, known)
  }
  const { quotation } = known
  return quotation === undefined || quotation.depth < minDepth ? undefined : quotation
}

type Terms = Readonly<{
  ofCurrency0: boolean
  knownPrice: UsdPrice
  decimals0: number
  decimals1: number
}>

/** Most pools and feeds stay the same from block to block. */
const memo = new WeakMap<Pool, Readonly<{ terms: Terms; quotation: Quotation | undefined }>>()

const isSame = (one: Terms, other: Terms): boolean =>
  one.knownPrice === other.knownPrice &&
  one.ofCurrency0 === other.ofCurrency0 &&
  one.decimals0 === other.decimals0 &&
  one.decimals1 === other.decimals1

/** @returns undefined for a pool without depth, or with a price that rounds to 0. */
function derive(
  pool: Pool,
  { ofCurrency0, knownPrice, decimals0, decimals1 }: Terms,
): Quotation | undefined {
  const { amount0, amount1 } = depthOf(pool)
  const depth = ofCurrency0
    ? usdValueDown(toAmount(amount1), decimals1, knownPrice)
    : usdValueDown(toAmount(amount0), decimals0, knownPrice)
  const ratio = spotPrice(pool, ofCurrency0)
  if (depth === 0n || ratio === undefined) return undefined
  const [unit, knownUnit] = ofCurrency0 ? [decimals0, decimals1] : [decimals1, decimals0]
  const price =
    (knownPrice * ratio.numerator * 10n ** BigInt(unit)) /
    (ratio.denominator * 10n ** BigInt(knownUnit))
  return price === 0n ? undefined : { price: toUsdPrice(price), depth, pool: pool.address }
}
