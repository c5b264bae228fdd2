import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Reply } from './reply.ts'

const compressors = {
  // Level 5 of 11 takes a third of a second for 9 MB; level 11 takes 20 seconds.
  br: (page: Buffer) =>
    promisify(brotliCompress)(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (page: Buffer) => promisify(gzip)(page),
}

type Encoding = keyof typeof compressors

/** The headers say which encodings a client accepts, and what it already has. */
export type Asked = Readonly<{ headers: IncomingHttpHeaders }>

const compress = (page: Buffer, encoding: Encoding): Promise<Buffer> => compressors[encoding](page)

/** The best encoding that the client accepts; `undefined` for none. */
function encodingFor({ headers }: Asked): Encoding | undefined {
  const accepted = headers['accept-encoding']?.toString() ?? ''
  return (['br', 'gzip'] as const).find((each) => accepts(accepted, each))
}

/** Whether `accept-encoding` lists `encoding` with a weight above 0. */
const accepts = (acceptEncoding: string, encoding: Encoding): boolean =>
  acceptEncoding.split(',').some((part) => {
    const [name, weight] = part.split(';').map((text) => text.trim())
    return name === encoding && !/^q=0(\.0*)?$/.test(weight ?? '')
  })

const entityTag = (page: Buffer | string): string =>
  `"${createHash('sha256').update(page).digest('hex').slice(0, 32)}"`

/** Whether the client already has the page with this ETag. A proxy may have marked it as weak. */
const isKnown = ({ headers }: Asked, etag: string): boolean =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === etag || each === '*')

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

  return async (request: Asked, reply: Reply, maxAgeSeconds: number): Promise<Reply> => {
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
