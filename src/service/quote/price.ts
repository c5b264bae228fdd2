import type { Log } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'
import type { Loaders, PriceAnswer } from '#src/service/answers.ts'
import { type Client, type Identify, timeName } from '#src/service/callers.ts'
import type { PriceInput } from '#src/service/input/priceInput.ts'
import type { PricedOrders } from '#src/service/order/pricedOrders.ts'
import { type OrderDeps, readOrder } from '#src/service/order/readOrder.ts'
import { type AnswerDeps, toPriceAnswer } from './priceAnswer.ts'

export type PriceDeps = OrderDeps &
  AnswerDeps &
  Readonly<{
    log: Pick<Log, 'debug' | 'error'>
    identify: Identify
    orders: Pick<PricedOrders, 'price'>
    /** See `Turns.beginOrder`. */
    beginOrder: (client: Client) => Promise<void>
  }>

/** Prices an order. @throws AppError that names the field or leg at fault. */
export async function price(
  deps: PriceDeps,
  request: PriceInput,
  loaders: Loaders,
  client: Client,
): Promise<PriceAnswer> {
  // One request may ask for many prices.
  await deps.beginOrder(client)
  const { originChainId, destinationChainId, referrer } = request
  deps.log.debug({ originChainId, destinationChainId, referrer }, 'Price requested')
  const { order, market } = await readOrder(deps, request, loaders)
  const priced = await deps.orders.price(order, market, timeName(deps.identify, client))
  return toPriceAnswer(deps, request, { priced, market }, loaders)
}

/** The price of each order, or its error. All orders are priced on the same market. */
export async function prices(
  deps: PriceDeps,
  requests: readonly PriceInput[],
  loaders: Loaders,
  client: Client,
): Promise<readonly (PriceAnswer | AppError)[]> {
  const shared = { ...deps, snapshot: sharedSnapshot(deps.snapshot) }
  return Promise.all(
    requests.map((request) =>
      price(shared, request, loaders, client).catch((error: unknown) => {
        if (error instanceof AppError) return error
        deps.log.error({ err: error }, 'A price of several failed')
        return new AppError('UNKNOWN_ERROR', 'Internal error. The operator can find it in the log')
      }),
    ),
  )
}

/** Every order gets the snapshot of the first one, if that has its chains. Each order's chains must be current. */
function sharedSnapshot(snapshot: PriceDeps['snapshot']): PriceDeps['snapshot'] {
  let shared: ReturnType<PriceDeps['snapshot']> | undefined
  return (chainIds) => {
    const current = snapshot(chainIds)
    shared ??= current
    return chainIds.every((chainId) => shared?.chains.has(chainId)) ? shared : current
  }
}
