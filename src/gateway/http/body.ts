import type { IncomingMessage } from 'node:http'
import { AppError } from '#src/core/errors.ts'

/** Longest request body: 256 KiB, four times the longest calldata of one destination call. */
export const maxBodyBytes = 262_144

/**
 * Maximum number of JSON values (objects, lists and leaves) of a body. A price request with all calls and fees has
 * about 200. One with a thousand origins has 5,000: the limit on origins, whose message is clearer, refuses it.
 */
const maxBodyValues = 8_000

class BodyTooLargeError extends AppError {
  constructor(limit: string) {
    super('REQUEST_TOO_LARGE', `A request body may have at most ${limit}`)
  }
}

/** The client disconnected before its request was complete, so nobody waits for an answer. */
export class RequestAbortedError extends Error {}

const jsonInUtf8 = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i

/**
 * Accepts JSON only. Browsers send other media types across origins without a CORS preflight.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE
 */
export function requireJson(request: IncomingMessage): IncomingMessage {
  const { 'content-type': contentType = '', 'content-encoding': encoding } = request.headers
  const fits = jsonInUtf8.test(contentType) && (encoding === undefined || encoding === 'identity')
  if (!fits)
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be application/json in UTF-8, uncompressed',
    )
  return request
}

/**
 * Reads the whole body as text.
 * @throws AppError REQUEST_TOO_LARGE as soon as the body exceeds 256 KiB.
 * @throws RequestAbortedError
 */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks = await readChunks(request)
  // Emptied, because the request keeps its listeners, and that of an event stream lives for hours.
  return Buffer.concat(chunks.splice(0)).toString()
}

function readChunks(request: IncomingMessage): Promise<Buffer[]> {
  if (Number(request.headers['content-length']) > maxBodyBytes)
    return Promise.reject(new BodyTooLargeError(`${maxBodyBytes} bytes`))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxBodyBytes) chunks.push(chunk)
      else reject(new BodyTooLargeError(`${maxBodyBytes} bytes`))
    })
    request.on('end', () => resolve(chunks))
    request.on('error', (cause) => reject(new RequestAbortedError('Aborted', { cause })))
  })
}

/**
 * Parses `text` as JSON.
 * @throws AppError INVALID_REQUEST if it is not JSON. REQUEST_TOO_LARGE if it has more than 8,000 values:
 * GraphQL reports an error for each value that has the wrong type.
 */
export function parseBody(text: string): unknown {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw new AppError('INVALID_REQUEST', `The body is not valid JSON: ${(error as Error).message}`)
  }
  // Each value takes at least one character.
  if (text.length <= maxBodyValues) return body
  const open = [body]
  for (let values = 0; open.length > 0; values += 1) {
    if (values > maxBodyValues) throw new BodyTooLargeError(`${maxBodyValues} values`)
    const value = open.pop()
    if (typeof value === 'object' && value !== null)
      for (const member of Object.values(value)) open.push(member)
  }
  return body
}
