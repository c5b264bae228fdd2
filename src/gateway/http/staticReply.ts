import type { OutgoingHttpHeaders } from 'node:http'
import { type Asked, compress, type Encoding, encodingFor, entityTag, isKnown } from './contentEncoding.ts'
import type { Reply } from './reply.ts'

/**
 * A page that never changes. The first request creates it, and each encoding is compressed once. A client that already
 * has it (by its ETag) receives 304.
 */
export function createStaticReply(
  make: () => Buffer | Promise<Buffer>,
  headers: OutgoingHttpHeaders,
) {
  let making: Promise<Made> | undefined
  const compressed = new Map<Encoding, Promise<Buffer>>()

  return async (request: Asked): Promise<Reply> => {
    making ??= Promise.resolve(make()).then(withTag)
    const { page, etag } = await making
    const allHeaders = { ...headers, vary: 'accept-encoding', etag }
    if (isKnown(request, etag)) return { status: 304, headers: allHeaders, body: Buffer.alloc(0) }
    const encoding = encodingFor(request)
    if (encoding === undefined) return { status: 200, headers: allHeaders, body: page }
    const body = compressed.get(encoding) ?? compress(page, encoding)
    compressed.set(encoding, body)
    return {
      status: 200,
      headers: { ...allHeaders, 'content-encoding': encoding },
      body: await body,
    }
  }
}

type Made = Readonly<{ page: Buffer; etag: string }>

const withTag = (page: Buffer): Made => ({ page, etag: entityTag(page) })
