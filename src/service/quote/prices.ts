import { AppError } from '#src/core/errors.ts'
import type { PriceRequest } from '#src/service/input/priceInput.ts'
import type { Loaders, PriceAnswer } from '#src/service/operations.ts'
import { type PriceDeps, price } from './price.ts'

/** The price of each order, or its error. All orders are priced on the same market. */
export async function prices(
  deps: PriceDeps,
  requests: readonly PriceRequest[],
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
