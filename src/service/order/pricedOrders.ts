import { isDeepStrictEqual } from 'node:util'
import { type ChainMarket, type Market, marketOf } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Price, PricedBlock } from '#src/core/pricing/price.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { blockOf } from '#src/core/pricing/summary/summary.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

/** Prices orders, and reuses the newest price of orders that are followed live. */
export type PricedOrders = Readonly<{
  /**
   * The price of the order on this market. Reuses a live price if its market differs at most in the blocks, else
   * searches a route.
   * @param client see `PricingQueue`.
   * @throws AppError as `priceSwap`; OverloadedError.
   */
  price: (order: Order, market: Market, client: string) => Promise<Price>
  /** Caches the newest price of an order until `forget` is called. */
  follow: (order: Order) => FollowedOrder
}>

export type FollowedOrder = Readonly<{
  /**
   * Prices the order in the background, and caches the price for other callers. @throws AppError as `priceSwap`.
   * @param client see `PricingQueue`.
   */
  price: (market: Market, client: string) => Promise<Price>
  /** Forgets the price unless it holds on this market: it would keep an older market in memory. */
  renew: (market: Market) => void
  forget: () => void
}>

/** Everything but the order that a price depends on. It is immutable, so the same objects give the same price. */
type Basis = Readonly<{
  origin: ChainMarket
  destination: ChainMarket
  assets: Market['assets']
  feeSchedule: Market['feeSchedule']
}>

/** @param turn see `PricingQueue`. */
type Search = (
  order: Order,
  market: Market,
  turn: Readonly<{ client: string; isInBackground: boolean }>,
) => Promise<Price>

type Cached = { followers: number; priced: Readonly<{ basis: Basis; price: Price }> | undefined }

/**
 * A cached price cannot be stale: it is used only for the same state of the market, and gets the blocks of that market.
 */
export function createPricedOrders(
  search: Search = async (order, market) => priceSwap(order, market),
): PricedOrders {
  const byOrder = new Map<string, Cached>()
  const isSameState = createSameState()

  /** The cached price, if it holds for this market too. */
  const reused = (cached: Cached | undefined, basis: Basis): Price | undefined => {
    if (cached?.priced === undefined) return undefined
    const { basis: before, price } = cached.priced
    if (!isSameBasis(before, basis, isSameState)) return undefined
    if (before.origin === basis.origin && before.destination === basis.destination) return price
    const inBlocks = { ...price, blocks: blocksOf(basis) }
    cached.priced = { basis, price: inBlocks }
    return inBlocks
  }

  return {
    price: async (order, market, client) => {
      // Computing the key is the expensive part, and most processes follow no order.
      const cached = byOrder.size === 0 ? undefined : byOrder.get(keyOf(order))
      return (
        reused(cached, basisOf(order, market)) ??
        search(order, market, { client, isInBackground: false })
      )
    },
    follow: (order) => {
      const key = keyOf(order)
      const cached = byOrder.get(key) ?? { followers: 0, priced: undefined }
      byOrder.set(key, cached)
      cached.followers += 1
      return {
        price: async (market, client) => {
          const basis = basisOf(order, market)
          const known = reused(cached, basis)
          if (known !== undefined) return known
          cached.priced = undefined
          const price = await search(order, market, { client, isInBackground: true })
          cached.priced = { basis, price }
          return price
        },
        renew: (market) => {
          const chains = [order.origin.chainId, order.destination.chainId]
          const isWhole = chains.every((chainId) => market.chains.has(chainId))
          if (!isWhole || reused(cached, basisOf(order, market)) === undefined)
            cached.priced = undefined
        },
        forget: () => {
          cached.followers -= 1
          if (cached.followers === 0) byOrder.delete(key)
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

/** Whether two markets of one chain give the same prices, because they differ at most in their block. */
type SameState = (one: ChainMarket, other: ChainMarket) => boolean

/** The same two markets are compared once for all orders of a block. */
export function createSameState(): SameState {
  const known = new Map<
    ChainId,
    Readonly<{ one: ChainMarket; other: ChainMarket; isSame: boolean }>
  >()
  return (one, other) => {
    if (one === other) return true
    const last = known.get(other.chain.id)
    if (last?.one === one && last.other === other) return last.isSame
    const isSame = isSameState(one, other)
    known.set(other.chain.id, { one, other, isSame })
    return isSame
  }
}

/** The pools or the gas nearly always differ, so they are compared first. Equal pools have the same graph object. */
function isSameState(one: ChainMarket, other: ChainMarket): boolean {
  if (one.graph !== other.graph || !isDeepStrictEqual(one.gas, other.gas)) return false
  const [before, after] = [one, other].map(({ block: _, graph: __, finality, ...rest }) => ({
    ...rest,
    finality: finality.blocks,
  }))
  return isDeepStrictEqual(before, after)
}
