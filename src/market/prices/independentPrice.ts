import type { ChainMarket } from '#src/core/pricing/market.ts'
import { poolsOf } from '#src/core/router/graph.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import type { UsdPrice } from '#src/core/units/usd.ts'
import { priceInPool } from './usdPrices.ts'

/** One pool can be moved by one swap. */
const minPools = 2

/**
 * The price of a currency that no single pool sets: its feed's, else the lowest price of at least two deep pools
 * against currencies with feeds. An attacker would have to raise the price in all of them.
 * @returns undefined if there is neither.
 */
export function independentPrice(
  { chain, graph, feedPrices }: ChainMarket,
  currency: Address,
  decimalsOf: (currency: Address) => number | undefined,
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
