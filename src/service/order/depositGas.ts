import { executorOf } from '#src/core/pricing/checkOrder.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { FieldError } from '#src/service/input/fieldError.ts'

/** The field `gasLimitForDepositSpecifiedTxs` does not fit its order. */
export class DepositGasError extends FieldError {
  constructor(problem: string) {
    super(
      'INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS',
      ['gasLimitForDepositSpecifiedTxs'],
      problem,
    )
  }
}

/**
 * The order with the gas limit of the calls that the user's own transaction makes.
 * @throws DepositGasError if it makes none: only a swap on one chain without the solver does.
 */
export function withDepositGas(order: Order, limit: bigint | null | undefined): Order {
  if (limit == null) return order
  if (order.txs.length === 0)
    throw new DepositGasError('the order has no txs; leave it out, or add txs')
  if (executorOf(order) === 'solver')
    throw new DepositGasError(
      'the solver runs the txs on the destination chain; set txsGasLimit instead',
    )
  return { ...order, txsGasLimit: limit }
}
