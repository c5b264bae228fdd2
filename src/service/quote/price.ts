import type { Log } from '#src/config/log.ts'
import type { PriceRequest } from '#src/service/input/priceInput.ts'
import type { PricedOrders } from '#src/service/live/pricedOrders.ts'
import type { Loaders, PriceAnswer } from '#src/service/operations.ts'
import { type OrderDeps, readOrder } from '#src/service/order/readOrder.ts'
import { balanceInTime } from './balanceInTime.ts'

export type PriceDeps = OrderDeps &
  Readonly<{ log: Pick<Log, 'debug' | 'error'>; orders: Pick<PricedOrders, 'price'> }>

/** Prices an order. @throws AppError that names the field or leg at fault. */
export async function price(
  deps: PriceDeps,
  request: PriceRequest,
  loaders: Loaders,
): Promise<PriceAnswer> {
  const { originChainId, destinationChainId, referrer } = request
  deps.log.debug({ originChainId, destinationChainId, referrer }, 'Price requested')
  const { order, market } = await readOrder(deps, request, loaders)
  const priced = deps.orders.price(order, market)
  const [{ hash }] = priced.blocks
  const userBalance = () => balanceInTime(loaders.balance(order.origin, order.user, hash))
  return { ...priced, userBalance }
}
