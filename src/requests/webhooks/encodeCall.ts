import { createHmac } from 'node:crypto'
import type { StatusUpdate } from '#src/requests/status/statusUpdate.ts'

/** What is sent: the signature holds for these very bytes. */
export type Call = Readonly<{ body: string; headers: Readonly<Record<string, string>> }>

/** Tells of a request at `timestamp` (ms), signed by the API key that it was quoted with. */
export function encodeCall(update: StatusUpdate, timestamp: number, key: string): Call {
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
