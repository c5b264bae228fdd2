import { createHash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Reply } from './reply.ts'

const compressors = {
  // Level 5 of 11 takes a third of a second for 9 MB; level 11 takes 20 seconds.
  br: (page: Buffer) =>
    promisify(brotliCompress)(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (page: Buffer) => promisify(gzip)(page),
  identity: async (page: Buffer) => page,
}

type Encoding = keyof typeof compressors

/**
 * A page that never changes. The first request makes it; each encoding is compressed once. A client that
 * already has it (by its ETag) receives 304.
 */
export function createStaticReply(make: () => Buffer, headers: OutgoingHttpHeaders) {
  let made: { page: Buffer; etag: string } | undefined
  const compressed = new Map<Encoding, Promise<Buffer>>()

  return async (request: Pick<IncomingMessage, 'headers'>): Promise<Reply> => {
    made ??= withTag(make())
    const { page, etag } = made
    const allHeaders = { ...headers, vary: 'accept-encoding', etag }
    if (request.headers['if-none-match'] === etag)
      return { status: 304, headers: allHeaders, body: Buffer.alloc(0) }
    const accepted = request.headers['accept-encoding']?.toString() ?? ''
    const encoding = (['br', 'gzip'] as const).find((each) => accepts(accepted, each))
    const key = encoding ?? 'identity'
    const body = compressed.get(key) ?? compressors[key](page)
    compressed.set(key, body)
    const encoded = encoding === undefined ? {} : { 'content-encoding': encoding }
    return { status: 200, headers: { ...allHeaders, ...encoded }, body: await body }
  }
}

const withTag = (page: Buffer) => ({
  page,
  etag: `"${createHash('sha256').update(page).digest('hex').slice(0, 32)}"`,
})

/** Whether `accept-encoding` lists `encoding` with a weight above 0. */
const accepts = (acceptEncoding: string, encoding: Encoding): boolean =>
  acceptEncoding.split(',').some((part) => {
    const [name, weight] = part.split(';').map((text) => text.trim())
    return name === encoding && !/^q=0(\.0*)?$/.test(weight ?? '')
  })
