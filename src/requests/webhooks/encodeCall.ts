import { createHmac } from 'node:crypto'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { RequestState } from '#src/requests/requestState.ts'

/** What is sent: the signature holds for these very bytes. */
export type Call = Readonly<{ body: string; headers: Readonly<Record<string, string>> }>

/** Tells of a request at `timestamp` (ms), signed by the API key that it was quoted with. */
export function encodeCall(
  update: ReturnType<typeof encodeUpdate>,
  timestamp: number,
  key: string,
): Call {
  const body = JSON.stringify({ event: 'request.status.updated', timestamp, data: update })
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-signature-timestamp': `${timestamp}`,
      'x-signature-sha256': createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex'),
    },
  }
}

/** The same as the events of /ws tell. @source PROTOCOL §2 */
export const encodeUpdate = (request: QuotedRequest, state: RequestState) => ({
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
