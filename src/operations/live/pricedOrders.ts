import { type ChainMarket, type Market, marketOf } from '#src/pricing/market.ts'
import type { Order } from '#src/pricing/order.ts'
import type { Price, PricedBlock } from '#src/pricing/price.ts'
import { priceSwap } from '#src/pricing/priceSwap.ts'
import { blockOf } from '#src/pricing/summary/summary.ts'
import { createSameState, type SameState } from './sameState.ts'

/** Prices orders, and reuses the newest price of those that are followed live. */
export type PricedOrders = Readonly<{
  /**
   * The price of the order on this market, by a search, or by that of a live price on a market that differs in its blocks
   * at most.
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
  origin: ChainMarket
  destination: ChainMarket
  assets: Market['assets']
  feeSchedule: Market['feeSchedule']
}>

type Kept = { followers: number; priced: Readonly<{ basis: Basis; price: Price }> | undefined }

/** A kept price can not be stale: it is used for the same state of the market only, and tells the blocks of that one. */
export function createPricedOrders(search: typeof priceSwap = priceSwap): PricedOrders {
  const byOrder = new Map<string, Kept>()
  const isSameState = createSameState()

  /** The price that is kept, where it is that of this market too. */
  const reused = (kept: Kept | undefined, basis: Basis): Price | undefined => {
    if (kept?.priced === undefined) return undefined
    const { basis: before, price } = kept.priced
    if (!isSameBasis(before, basis, isSameState)) return undefined
    if (before.origin === basis.origin && before.destination === basis.destination) return price
    const inBlocks = { ...price, blocks: blocksOf(basis) }
    kept.priced = { basis, price: inBlocks }
    return inBlocks
  }

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
  origin: marketOf(market, origin),
  destination: marketOf(market, destination),
  assets: market.assets,
  feeSchedule: market.feeSchedule,
})

const isSameBasis = (one: Basis, other: Basis, isSameState: SameState): boolean =>
  isSameState(one.origin, other.origin) &&
  isSameState(one.destination, other.destination) &&
  one.assets === other.assets &&
  one.feeSchedule === other.feeSchedule

const blocksOf = ({ origin, destination }: Basis): readonly [PricedBlock, ...PricedBlock[]] =>
  origin === destination ? [blockOf(origin)] : [blockOf(origin), blockOf(destination)]

/** Equal for equal orders only. Orders are built in one function, so that their fields have one order. */
const keyOf = (order: Order): string =>
  JSON.stringify(order, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`
    return value instanceof Set ? [...value].sort() : value
  })
