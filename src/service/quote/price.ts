import type { Log } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { Loaders, PriceAnswer } from '#src/service/answers.ts'
import type { PriceInput } from '#src/service/input/priceInput.ts'
import type { PricedOrders } from '#src/service/live/pricedOrders.ts'
import { type OrderDeps, readOrder } from '#src/service/order/readOrder.ts'

export type PriceDeps = OrderDeps &
  Readonly<{ log: Pick<Log, 'debug' | 'error'>; orders: Pick<PricedOrders, 'price'> }>

/** Prices an order. @throws AppError that names the field or leg at fault. */
export async function price(
  deps: PriceDeps,
  request: PriceInput,
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

/** The price of each order, or its error. All orders are priced on the same market. */
export async function prices(
  deps: PriceDeps,
  requests: readonly PriceInput[],
  loaders: Loaders,
): Promise<readonly (PriceAnswer | AppError)[]> {
  const shared = { ...deps, snapshot: sharedSnapshot(deps.snapshot) }
  return Promise.all(
    requests.map((request) =>
      price(shared, request, loaders).catch((error: unknown) => {
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

/** Maximum delay of an answer by the read of a balance. */
const deadlineMs = 250

/**
 * A balance; `undefined` if no node reports it in time, or the currency has no balances. No other part of a price needs
 * it.
 */
export async function balanceInTime(balance: Promise<Amount>): Promise<Amount | undefined> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<undefined>((resolve) => {
    // If this process was busy, an answer that has arrived meanwhile wins over the timer.
    timer = setTimeout(() => setImmediate(resolve, undefined), deadlineMs)
  })
  try {
    return await Promise.race([balance, deadline])
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}
