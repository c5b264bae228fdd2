import { LRUCache } from 'lru-cache'
import { type Asked, compress, type Encoding, encodingFor, entityTag, isKnown } from './contentEncoding.ts'
import type { Reply } from './reply.ts'

/** Shorter bodies fit into one packet as they are. */
const minCompressedBytes = 1_024

/** Number of compressed bodies in the cache, by encoding and ETag. */
const maxCached = 64

/**
 * Adds an ETag, compression and a maximum age to answers that change rarely. Each body is compressed once. A client
 * that already has it receives 304.
 */
export function createCachedReplies() {
  const cache = new LRUCache<string, Promise<Buffer>>({ max: maxCached })

  const compressed = (body: Buffer, etag: string, encoding: Encoding): Promise<Buffer> => {
    const key = `${encoding}${etag}`
    const found = cache.get(key) ?? compress(body, encoding)
    cache.set(key, found)
    return found
  }

  return async (
    request: Asked,
    reply: Reply,
    maxAgeSeconds: number,
  ): Promise<Reply> => {
    const body = Buffer.from(reply.body)
    const etag = entityTag(body)
    const headers = {
      ...reply.headers,
      'cache-control': `public, max-age=${maxAgeSeconds}`,
      vary: 'accept-encoding',
      etag,
    }
    if (isKnown(request, etag)) return { status: 304, headers, body: '' }
    const encoding = body.length < minCompressedBytes ? undefined : encodingFor(request)
    if (encoding === undefined) return { ...reply, headers, body }
    return {
      ...reply,
      headers: { ...headers, 'content-encoding': encoding },
      body: await compressed(body, etag, encoding),
    }
  }
}
