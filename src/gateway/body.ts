import type { IncomingMessage } from 'node:http'
import { AppError } from '#src/errors.ts'

/** Calldata for destination calls fits in, with room to spare. */
const mostBytes = 262_144

class BodyTooLargeError extends AppError {
  constructor() {
    super('REQUEST_TOO_LARGE', `A request body has at most ${mostBytes} bytes`)
  }
}

/** The client went away before its request was complete: nobody waits for an answer. */
export class RequestAbortedError extends Error {}

/**
 * The whole body as text.
 * @throws AppError REQUEST_TOO_LARGE as soon as it is known to be longer than 256 KiB.
 * @throws RequestAbortedError
 */
export function readBody(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length']) > mostBytes)
    return Promise.reject(new BodyTooLargeError())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= mostBytes) chunks.push(chunk)
      else reject(new BodyTooLargeError())
    })
    request.on('end', () => resolve(Buffer.concat(chunks).toString()))
    request.on('error', (cause) => reject(new RequestAbortedError('Aborted', { cause })))
  })
}
