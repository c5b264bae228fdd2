import { AppError } from '#src/errors.ts'
import { isOneErc20 } from './leg.ts'
import type { ChainMarket } from './market.ts'
import type { Order } from './order.ts'

/** Who swaps: the user alone on one chain, unless the order has the solver do it. */
export const executorOf = ({
  origin,
  destination,
  forceSolverExecution,
}: Order): 'user' | 'solver' =>
  origin.chainId === destination.chainId && !forceSolverExecution ? 'user' : 'solver'

/**
 * Refuses what an order cannot have where the user swaps alone.
 * @throws AppError that names the field.
 */
export function checkLoneSwap(order: Order, market: ChainMarket): void {
  const { origin, destination } = order
  if (order.disableOriginSwaps && !isOneErc20(market, origin, destination))
    throw new AppError(
      'UNSUPPORTED_ROUTE',
      `disableOriginSwaps: ${origin.symbol} becomes ${destination.symbol} on chain ${origin.chainId} only by a swap there; leave disableOriginSwaps out.`,
      { field: 'disableOriginSwaps' },
    )
}
