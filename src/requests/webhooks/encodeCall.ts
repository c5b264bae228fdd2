import { createHmac } from 'node:crypto'
import type { StatusUpdate } from '#src/requests/status/statusUpdate.ts'

/** A webhook call. The signature covers exactly these bytes. */
export type Call = Readonly<{ body: string; headers: Readonly<Record<string, string>> }>

/** Encodes a status update, sent at `timestamp` (Unix ms) and signed with the API key of the quote. */
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
