import { depthOf } from '#src/market/pools/poolDepth.ts'
import type { Pool } from '#src/pools/pool.ts'
import { spotPrice } from '#src/pools/spotPrice.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { toUsdPrice, type Usd, type UsdPrice, usdOf } from '#src/units/usd.ts'

export type PriceSources = Readonly<{
  /** Prices that are trusted as they are. */
  feeds: ReadonlyMap<Address, UsdPrice>
  pools: Iterable<Pool>
  /** Undefined for a currency that cannot get a price. */
  decimalsOf: (currency: Address) => number | undefined
  /** A pool prices a currency only if it pays out this much of the other one before its price halves. */
  minDepth: Usd
  wrappedNative: Address
}>

/**
 * The prices of the feeds, and what follows from them: first what the pools say of currencies that
 * trade directly against priced ones, then against those, and so on; of several pools the deepest
 * one decides. A price is rounded down; one that would be 0 is left out, as is a currency that no
 * deep pool joins to a feed. Native and wrapped native are worth the same.
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

/** What one pool says of a currency's price. */
type Quotation = Readonly<{ price: UsdPrice; depth: Usd; pool: Address }>

/** For each currency that trades against a priced one in a deep enough pool. */
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
    const quotation = quote(sources, pool, price0 === undefined, knownPrice)
    const best = deepest.get(currency)
    if (quotation !== undefined && (best === undefined || isDeeper(quotation, best)))
      deepest.set(currency, quotation)
  }
  return deepest
}

/** Addresses break a tie, so that the order of the pools does not matter. */
const isDeeper = (one: Quotation, other: Quotation): boolean =>
  one.depth > other.depth || (one.depth === other.depth && one.pool < other.pool)

/** The price of currency0 (or else of currency1) in `pool`, where the other one costs `knownPrice`. */
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

/** From block to block most pools stay as they are, and most feeds too. */
const memo = new WeakMap<Pool, Readonly<{ terms: Terms; quotation: Quotation | undefined }>>()

const isSame = (one: Terms, other: Terms): boolean =>
  one.knownPrice === other.knownPrice &&
  one.ofCurrency0 === other.ofCurrency0 &&
  one.decimals0 === other.decimals0 &&
  one.decimals1 === other.decimals1

/** @returns undefined for a pool without depth or without a price. */
function derive(
  pool: Pool,
  { ofCurrency0, knownPrice, decimals0, decimals1 }: Terms,
): Quotation | undefined {
  const { amount0, amount1 } = depthOf(pool)
  const depth = ofCurrency0
    ? usdOf(toAmount(amount1), decimals1, knownPrice)
    : usdOf(toAmount(amount0), decimals0, knownPrice)
  const ratio = spotPrice(pool, ofCurrency0)
  if (depth === 0n || ratio === undefined) return undefined
  const [unit, knownUnit] = ofCurrency0 ? [decimals0, decimals1] : [decimals1, decimals0]
  const price =
    (knownPrice * ratio.numerator * 10n ** BigInt(unit)) /
    (ratio.denominator * 10n ** BigInt(knownUnit))
  return price === 0n ? undefined : { price: toUsdPrice(price), depth, pool: pool.address }
}
