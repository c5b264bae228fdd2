import type { RequestAnswer } from '#src/operations/operations.ts'

/**
 * What deposits for the request carry. Until one is seen it is told to nobody but whom the quote was given:
 * who deposits for an order first, and too little, has its request end unfilled.
 */
export const shownOrderId = ({ request, state }: RequestAnswer): `0x${string}` | undefined =>
  request.execution === 'solver' && state.inTxHashes.length > 0 ? request.orderId : undefined
