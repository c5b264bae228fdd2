import { type Pool, spotPrice } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolKind.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import { changedBetween, poolsOf } from '#src/core/router/graph.ts'
import { type Account, type Address, nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toUsdPrice, type Usd, type UsdPrice, usdValueDown } from '#src/core/units/usd.ts'
import { depthOf } from '#src/market/kinds/poolDepth.ts'

export type PriceSources = Readonly<{
  /** Prices from feeds. They are trusted without a check. */
  feeds: ReadonlyMap<Address, UsdPrice>
  /** Each pool once. */
  pools: readonly Pool[]
  /** Undefined for an unknown currency, which gets no price. */
  decimalsOf: (currency: Address) => number | undefined
  /** A new object each time `decimalsOf` may return other values. If absent, all decimals are compared on each call. */
  known?: object
}>

export type PriceRules = Readonly<{
  /** Minimum depth, in USD, of a pool that prices a currency: see `PoolDepth`. */
  minDepth: Usd
  wrappedNative: Address
  /** Currencies that no pool may price: without a feed they have no price. */
  feedOnly: ReadonlySet<Address>
}>

/** A price, and the number of pools between its currency and a feed. */
type Entry = Readonly<{ level: number; price: UsdPrice }>

type State = {
  pools: readonly Pool[]
  /** Indexes of the pools of each currency. */
  places: ReadonlyMap<Address, readonly number[]>
  decimals: ReadonlyMap<Address, number | undefined>
  known: object | undefined
  fixed: ReadonlyMap<Address, UsdPrice>
  entries: Map<Address, Entry>
  prices: ReadonlyMap<Address, UsdPrice>
}

/**
 * Finds the USD prices of currencies, from feeds and pools. Feeds come first. Then each currency with a pool against a
 * priced currency gets the price of its deepest such pool, and so on until no currency is added; those in `feedOnly`
 * never do. Prices are rounded down. Currencies with a price of 0, or without a deep enough pool, are left out. The
 * native and the wrapped native currency have the same price.
 *
 * The result depends on the sources alone. If the set of pools is the same as in the last call, only currencies that
 * the changed pools and prices affect are computed again.
 */
export function createUsdPrices(
  rules: PriceRules,
): (sources: PriceSources) => ReadonlyMap<Address, UsdPrice> {
  let state: State | undefined
  return (sources) => {
    const fixed = fixedPrices(sources.feeds, rules.wrappedNative)
    const changes = state && changesOf(state, sources)
    const before = changes !== undefined && state !== undefined ? state : emptyState(sources)
    const changed = changes ?? sources.pools.map((_, at) => at)
    const next = { ...before, pools: sources.pools, known: sources.known, fixed }
    // If `update` throws, the entries are partial: the next call starts from scratch.
    state = undefined
    const isChanged = update(rules, next, { changed, before: before.fixed })
    state =
      isChanged || changes === undefined ? { ...next, prices: pricesOf(next.entries, rules) } : next
    return state.prices
  }
}

/**
 * Updates the entries level by level: prices of one level come from pools against currencies of the level before.
 * Computes a currency again if one of its pools or the price of a neighbour has changed. @returns whether a price
 * changed
 */
function update(
  rules: PriceRules,
  state: State,
  { changed, before }: Readonly<{ changed: readonly number[]; before: State['fixed'] }>,
): boolean {
  const { pools, places, fixed, entries } = state
  /** The currencies whose price is to be computed, with their previous entries. */
  const pending = new Map<Address, Entry | undefined>()
  let isChanged = false
  const levelOf = (currency: Address) => entries.get(currency)?.level ?? Number.POSITIVE_INFINITY

  /** Marks a currency for computation unless its price is of `level` or below. */
  function invalidate(currency: Address, level: number): void {
    if (pending.has(currency) || levelOf(currency) <= level) return
    pending.set(currency, entries.get(currency))
    entries.delete(currency)
  }

  function invalidateNeighbours(currency: Address, level: number): void {
    for (const at of places.get(currency) ?? []) {
      const { currency0, currency1 } = pools[at] as Pool
      invalidate(currency0 === currency ? currency1 : currency0, level)
    }
  }

  function setEntry(currency: Address, entry: Entry, old: Entry | undefined): void {
    pending.delete(currency)
    entries.set(currency, entry)
    if (old?.level === entry.level && old.price === entry.price) return
    isChanged = true
    invalidateNeighbours(currency, entry.level)
  }

  const reached = changed.flatMap((at) => {
    const { currency0, currency1 } = pools[at] as Pool
    const [level0, level1] = [levelOf(currency0), levelOf(currency1)]
    if (level0 === level1) return []
    return level0 < level1
      ? [{ currency: currency1, level: level0 }]
      : [{ currency: currency0, level: level1 }]
  })
  for (const { currency, level } of reached) invalidate(currency, level)
  for (const currency of before.keys()) {
    if (fixed.has(currency)) continue
    pending.set(currency, pending.get(currency) ?? entries.get(currency))
    entries.delete(currency)
    isChanged = true
    invalidateNeighbours(currency, 0)
  }
  for (const [currency, price] of fixed)
    setEntry(currency, { level: 0, price }, pending.get(currency) ?? entries.get(currency))

  for (let level = 1; pending.size > 0 && level <= highestLevel(entries) + 1; level += 1) {
    const found = new Map<Address, UsdPrice>()
    for (const currency of pending.keys()) {
      const price = deepestPrice(rules, state, currency, level)
      if (price !== undefined) found.set(currency, price)
    }
    for (const [currency, old] of [...pending]) {
      const price = found.get(currency)
      if (price !== undefined) setEntry(currency, { level, price }, old)
      else if (old?.level === level) invalidateNeighbours(currency, level)
    }
  }
  for (const old of pending.values()) if (old !== undefined) isChanged = true
  return isChanged
}

function highestLevel(entries: State['entries']): number {
  let highest = -1
  for (const { level } of entries.values()) if (level > highest) highest = level
  return highest
}

/** The price of the deepest pool against a currency of the level before. */
function deepestPrice(
  { feedOnly, minDepth }: PriceRules,
  { pools, places, decimals, entries }: State,
  currency: Address,
  level: number,
): UsdPrice | undefined {
  if (feedOnly.has(currency)) return undefined
  let best: Quotation | undefined
  for (const at of places.get(currency) ?? []) {
    const pool = pools[at] as Pool
    const ofCurrency0 = pool.currency0 === currency
    const known = entries.get(ofCurrency0 ? pool.currency1 : pool.currency0)
    if (known?.level !== level - 1) continue
    const found = quote({ decimals, minDepth }, pool, ofCurrency0, known.price)
    if (found !== undefined && (best === undefined || isDeeper(found, best))) best = found
  }
  return best?.price
}

/** The native and the wrapped native currency share one price: the native feed's, else the wrapped one's. */
function fixedPrices(
  feeds: PriceSources['feeds'],
  wrappedNative: Address,
): ReadonlyMap<Address, UsdPrice> {
  const nativePrice = feeds.get(nativeAddress) ?? feeds.get(wrappedNative)
  return nativePrice === undefined ? feeds : new Map(feeds).set(wrappedNative, nativePrice)
}

/** The prices of the feeds. The native and the wrapped native currency share one. */
export function withBothNatives(
  feeds: PriceSources['feeds'],
  wrappedNative: Address,
): ReadonlyMap<Address, UsdPrice> {
  const nativePrice = feeds.get(nativeAddress) ?? feeds.get(wrappedNative)
  if (nativePrice === undefined) return feeds
  return new Map(feeds).set(wrappedNative, nativePrice).set(nativeAddress, nativePrice)
}

function pricesOf(
  entries: State['entries'],
  { wrappedNative }: PriceRules,
): ReadonlyMap<Address, UsdPrice> {
  const prices = new Map([...entries].map(([currency, { price }]) => [currency, price]))
  const wrappedPrice = prices.get(wrappedNative)
  return wrappedPrice === undefined ? prices : prices.set(nativeAddress, wrappedPrice)
}

/** The state before the first prices are computed. */
function emptyState({ pools, decimalsOf, known }: PriceSources): State {
  const places = new Map<Address, number[]>()
  const note = (currency: Address, at: number) => {
    const known = places.get(currency)
    if (known === undefined) places.set(currency, [at])
    else known.push(at)
  }
  for (const [at, { currency0, currency1 }] of pools.entries()) {
    note(currency0, at)
    note(currency1, at)
  }
  const decimals = new Map([...places.keys()].map((each) => [each, decimalsOf(each)]))
  const nothing = { fixed: new Map(), entries: new Map(), prices: new Map() }
  return { pools, places, decimals, known, ...nothing }
}

/**
 * Indexes of the pools whose state has changed. Undefined if the pools are other ones, or in another order, or if the
 * decimals of a currency have changed.
 */
function changesOf(state: State, sources: PriceSources): readonly number[] | undefined {
  const { pools: before } = state
  const { pools: after } = sources
  if (before.length !== after.length) return undefined
  const changed: number[] = []
  for (const at of changedBetween(before, after) ?? after.keys()) {
    const pool = after[at]
    if (pool === before[at]) continue
    if (!isSamePool(before[at] as Pool, pool as Pool)) return undefined
    changed.push(at)
  }
  const mayDiffer = sources.known === undefined || sources.known !== state.known
  return mayDiffer && haveOtherDecimals(state, sources) ? undefined : changed
}

const isSamePool = (one: Pool, other: Pool): boolean =>
  poolIdOf(one) === poolIdOf(other) &&
  one.currency0 === other.currency0 &&
  one.currency1 === other.currency1

function haveOtherDecimals({ decimals }: State, { decimalsOf }: PriceSources): boolean {
  for (const [currency, known] of decimals) if (decimalsOf(currency) !== known) return true
  return false
}

/** The price of a currency in one pool, rounded down, and the pool's depth in the other currency. */
type Quotation = Readonly<{ price: UsdPrice; depth: Usd; pool: PoolId }>

/** The id of the pool breaks ties, so that the order of the pools does not matter. */
const isDeeper = (one: Quotation, other: Quotation): boolean =>
  one.depth > other.depth || (one.depth === other.depth && one.pool < other.pool)

/** The price of currency0 in `pool` if `ofCurrency0`, else of currency1. `knownPrice` is the price of the other one. */
function quote(
  { decimals, minDepth }: Readonly<{ decimals: State['decimals']; minDepth: Usd }>,
  pool: Pool,
  ofCurrency0: boolean,
  knownPrice: UsdPrice,
): Quotation | undefined {
  const decimals0 = decimals.get(pool.currency0)
  const decimals1 = decimals.get(pool.currency1)
  if (decimals0 === undefined || decimals1 === undefined) return undefined
  const terms = { ofCurrency0, knownPrice, decimals0, decimals1 }
  let known = memo.get(pool)
  if (known === undefined || !isSame(known.terms, terms)) {
    known = { terms, quotation: priceInPool(pool, terms) }
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
function priceInPool(
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
  return price === 0n ? undefined : { price: toUsdPrice(price), depth, pool: poolIdOf(pool) }
}

/** One pool can be moved by one swap. */
const minPools = 2

/**
 * The price of a currency that no single pool sets: its feed's, else the lowest price of at least two deep pools
 * against currencies with feeds. An attacker would have to raise the price in all of them.
 * @returns undefined if there is neither.
 */
export function independentPrice(
  { chain, graph, feedPrices }: ChainMarket,
  currency: Account,
  decimalsOf: (currency: Account) => number | undefined,
): UsdPrice | undefined {
  const fed = feedPrices.get(currency)
  if (fed !== undefined) return fed
  const pooled = currency === nativeAddress ? chain.wrappedNative : currency
  const prices = poolsOf(graph).flatMap((pool) => {
    const ofCurrency0 = pool.currency0 === pooled
    if (!ofCurrency0 && pool.currency1 !== pooled) return []
    const knownPrice = feedPrices.get(ofCurrency0 ? pool.currency1 : pool.currency0)
    const [decimals0, decimals1] = [decimalsOf(pool.currency0), decimalsOf(pool.currency1)]
    if (knownPrice === undefined || decimals0 === undefined || decimals1 === undefined) return []
    const found = priceInPool(pool, { ofCurrency0, knownPrice, decimals0, decimals1 })
    return found === undefined || found.depth < chain.minPoolDepthUsd ? [] : [found.price]
  })
  return prices.length < minPools ? undefined : prices.sort(byPrice)[0]
}

const byPrice = (one: UsdPrice, other: UsdPrice): number =>
  Number(one > other) - Number(one < other)
