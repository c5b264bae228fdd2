import { createHash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import type { Operations } from '#src/operations/operations.ts'
import { exampleQueries } from './exampleQueries.ts'

const compressors = {
  // Level 5 of 11 takes a third of a second for these 9 MB; the best would take 20.
  br: (page: Buffer) =>
    promisify(brotliCompress)(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (page: Buffer) => promisify(gzip)(page),
  identity: async (page: Buffer) => page,
}

type Encoding = keyof typeof compressors

const headers: OutgoingHttpHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  vary: 'accept-encoding',
  // The whole page is one document with its workers in blobs: it may speak with this host only.
  'content-security-policy':
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'",
}

/**
 * The GraphiQL page, 9 MB of it: rendered at the first request, with examples from what this gateway
 * serves, and compressed once for each encoding that is asked for.
 */
export function createGraphiqlPage(deps: Readonly<{ operations: Operations }>) {
  let rendered: { page: Buffer; etag: string } | undefined
  const compressed = new Map<Encoding, Promise<Buffer>>()

  const render = () => {
    const defaultTabs = exampleQueries(deps.operations).map((query) => ({ query }))
    const page = Buffer.from(renderGraphiQL({ title: 'Crossquote', defaultTabs }))
    return { page, etag: `"${createHash('sha256').update(page).digest('hex').slice(0, 32)}"` }
  }

  return async (
    acceptEncoding: string,
    ifNoneMatch: string | undefined,
  ): Promise<Readonly<{ status: 200 | 304; headers: OutgoingHttpHeaders; body: Buffer }>> => {
    rendered ??= render()
    const { page, etag } = rendered
    if (ifNoneMatch === etag)
      return { status: 304, headers: { ...headers, etag }, body: Buffer.alloc(0) }
    const encoding = (['br', 'gzip'] as const).find((each) => accepts(acceptEncoding, each))
    const key = encoding ?? 'identity'
    const body = compressed.get(key) ?? compressors[key](page)
    compressed.set(key, body)
    const encoded = encoding === undefined ? {} : { 'content-encoding': encoding }
    return { status: 200, headers: { ...headers, etag, ...encoded }, body: await body }
  }
}

/** Whether `accept-encoding` lists `encoding` and does not rule it out with a weight of 0. */
const accepts = (acceptEncoding: string, encoding: Encoding): boolean =>
  acceptEncoding.split(',').some((part) => {
    const [name, weight] = part.split(';').map((text) => text.trim())
    return name === encoding && !/^q=0(\.0*)?$/.test(weight ?? '')
  })
