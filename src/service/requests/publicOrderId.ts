import type { RequestAnswer } from '#src/service/operations.ts'

/**
 * The order id of a request; `undefined` until a deposit is found, and for a user's own swap. Until then only the quote
 * reveals it: someone else could deposit too little for the order first, and end its request unfilled.
 */
export const publicOrderId = ({ request, state }: RequestAnswer): `0x${string}` | undefined =>
  request.execution === 'solver' && state.inTxHashes.length > 0 ? request.orderId : undefined
