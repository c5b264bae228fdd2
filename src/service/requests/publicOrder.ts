import { type OrderData, toOrderData } from '#src/protocol/order/protocolOrder.ts'
import type { QuotedRequest, UpstreamExecution } from '#src/requests/quotedRequest.ts'
import { isTerminal } from '#src/requests/state/requestState.ts'
import type { RequestAnswer } from '#src/service/answers.ts'

/**
 * The order id of a request; `undefined` until a deposit is found, and for a user's own swap. Until then only the quote
 * reveals it: someone else could deposit too little for the order first, and end its request unfilled.
 */
export const publicOrderId = ({ request, state }: RequestAnswer): `0x${string}` | undefined =>
  request.execution === 'solver' && state.inTxHashes.length > 0 ? request.orderId : undefined

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

type Currencies = UpstreamExecution['upstream']['currencies']

/** The stored currencies of a request that another service executes. This gateway may not know its chains. */
export const storedCurrencies = (request: QuotedRequest): Currencies | undefined =>
  request.execution === 'upstream' ? request.upstream.currencies : undefined
