import type { RequestAnswer } from '#src/operations/operations.ts'

/** How a request stands, as events tell it: webhooks tell the same. */
export type StatusUpdate = ReturnType<typeof encodeStatusUpdate>

export const encodeStatusUpdate = ({ request, state }: RequestAnswer) => ({
  status: state.status,
  inTxHashes: state.inTxHashes,
  txHashes: state.txHashes,
  updatedAt: state.updatedAt,
  originChainId: request.originChainId,
  destinationChainId: request.destinationChainId,
  requestId: request.requestId,
  referrer: request.referrer ?? null,
  details: null,
  failReason: state.failReason ?? 'N/A',
  refundFailReason: state.refundFailReason ?? 'N/A',
})

/** Whether `update` tells its reader anything that the one before did not. */
export const tellsMore = (update: StatusUpdate, before: StatusUpdate): boolean =>
  JSON.stringify({ ...update, updatedAt: 0 }) !== JSON.stringify({ ...before, updatedAt: 0 })
