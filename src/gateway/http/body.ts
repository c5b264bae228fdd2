import type { IncomingMessage } from 'node:http'
import { AppError } from '#src/errors.ts'

/** Calldata for destination calls fits in, with room to spare. */
export const mostBytes = 262_144

/** Objects, lists and leaves: a price with all its calls and fees has about 200, and a thousand origins, which are told how many there may be, 5,000. */
const mostValues = 8_000

class BodyTooLargeError extends AppError {
  constructor(limit: string) {
    super('REQUEST_TOO_LARGE', `A request body has at most ${limit}`)
  }
}

/** The client went away before its request was complete: nobody waits for an answer. */
export class RequestAbortedError extends Error {}

const jsonInUtf8 = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i

/**
 * JSON only: a web page can send other bodies to any host without the browser asking that host.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE
 */
export function requireJson(request: IncomingMessage): IncomingMessage {
  const { 'content-type': contentType = '', 'content-encoding': encoding } = request.headers
  const fits = jsonInUtf8.test(contentType) && (encoding === undefined || encoding === 'identity')
  if (!fits)
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'A body is application/json in UTF-8, uncompressed',
    )
  return request
}

/**
 * The whole body as text.
 * @throws AppError REQUEST_TOO_LARGE as soon as it is known to be longer than 256 KiB.
 * @throws RequestAbortedError
 */
export function readBody(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length']) > mostBytes)
    return Promise.reject(new BodyTooLargeError(`${mostBytes} bytes`))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= mostBytes) chunks.push(chunk)
      else reject(new BodyTooLargeError(`${mostBytes} bytes`))
    })
    request.on('end', () => resolve(Buffer.concat(chunks).toString()))
    request.on('error', (cause) => reject(new RequestAbortedError('Aborted', { cause })))
  })
}

/**
 * The JSON value that `text` is.
 * @throws AppError INVALID_REQUEST if it is none, REQUEST_TOO_LARGE if it has more than 8,000 values,
 * since GraphQL has something to say on each one that does not fit.
 */
export function parseBody(text: string): unknown {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw new AppError('INVALID_REQUEST', `This is no JSON: ${(error as Error).message}`)
  }
  const open = [body]
  for (let values = 0; open.length > 0; values += 1) {
    if (values > mostValues) throw new BodyTooLargeError(`${mostValues} values`)
    const value = open.pop()
    if (typeof value === 'object' && value !== null)
      for (const member of Object.values(value)) open.push(member)
  }
  return body
}
