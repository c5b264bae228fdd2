import type { ChainMarket, Market } from '#src/pricing/market.ts'
import type { Order } from '#src/pricing/order.ts'
import type { Price } from '#src/pricing/price.ts'
import { priceSwap } from '#src/pricing/priceSwap.ts'

/** Prices orders, and reuses the newest price of those that are followed live. */
export type PricedOrders = Readonly<{
  /**
   * The price of the order on this market, by a search, or by that of a live price on the very same market.
   * @throws AppError as `priceSwap`.
   */
  price: (order: Order, market: Market) => Price
  /** Starts to keep the newest price of an order, until `forget` is called. */
  follow: (order: Order) => FollowedOrder
}>

export type FollowedOrder = Readonly<{
  /** Prices the order, and keeps the price for others. @throws AppError as `priceSwap`. */
  price: (market: Market) => Price
  forget: () => void
}>

/** What a price depends on, beside the order. All of it is immutable, so that equal objects give equal prices. */
type Basis = Readonly<{
  origin: ChainMarket | undefined
  destination: ChainMarket | undefined
  assets: Market['assets']
  feeSchedule: Market['feeSchedule']
}>

type Kept = { followers: number; priced: Readonly<{ basis: Basis; price: Price }> | undefined }

/** A kept price can not be stale: it is used for the same objects of the market only, and a block replaces those. */
export function createPricedOrders(search: typeof priceSwap = priceSwap): PricedOrders {
  const byOrder = new Map<string, Kept>()

  const reused = (kept: Kept | undefined, basis: Basis): Price | undefined =>
    kept?.priced !== undefined && isSameBasis(kept.priced.basis, basis)
      ? kept.priced.price
      : undefined

  return {
    price: (order, market) => {
      // The key of an order takes longer than its look-up: most processes follow none.
      const kept = byOrder.size === 0 ? undefined : byOrder.get(keyOf(order))
      return reused(kept, basisOf(order, market)) ?? search(order, market)
    },
    follow: (order) => {
      const key = keyOf(order)
      const kept = byOrder.get(key) ?? { followers: 0, priced: undefined }
      byOrder.set(key, kept)
      kept.followers += 1
      return {
        price: (market) => {
          const basis = basisOf(order, market)
          const known = reused(kept, basis)
          if (known !== undefined) return known
          kept.priced = undefined
          const price = search(order, market)
          kept.priced = { basis, price }
          return price
        },
        forget: () => {
          kept.followers -= 1
          if (kept.followers === 0) byOrder.delete(key)
        },
      }
    },
  }
}

const basisOf = ({ origin, destination }: Order, market: Market): Basis => ({
  origin: market.chains.get(origin.chainId),
  destination: market.chains.get(destination.chainId),
  assets: market.assets,
  feeSchedule: market.feeSchedule,
})

const isSameBasis = (one: Basis, other: Basis): boolean =>
  one.origin === other.origin &&
  one.destination === other.destination &&
  one.assets === other.assets &&
  one.feeSchedule === other.feeSchedule

/** Equal for equal orders only. Orders are built in one function, so that their fields have one order. */
const keyOf = (order: Order): string =>
  JSON.stringify(order, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`
    return value instanceof Set ? [...value].sort() : value
  })
