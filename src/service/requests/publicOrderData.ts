import { type OrderData, toOrderData } from '#src/protocol/order/orderData.ts'
import { isTerminal } from '#src/requests/state/requestState.ts'
import type { RequestAnswer } from '#src/service/operations.ts'
import { publicOrderId } from './publicOrderId.ts'

/**
 * The order of a request; `undefined` while its id is not public, because anybody can compute the id from the order.
 * The output is left out until the request ends.
 */
export function publicOrderData(
  answer: RequestAnswer,
): OrderData | Omit<OrderData, 'output'> | undefined {
  const { request, state } = answer
  if (request.execution !== 'solver' || publicOrderId(answer) === undefined) return undefined
  const { output, ...rest } = toOrderData(request.order)
  return isTerminal(state.status) ? { ...rest, output } : rest
}
