import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressors = {
  // Level 5 of 11 takes a third of a second for 9 MB; level 11 takes 20 seconds.
  br: (page: Buffer) =>
    promisify(brotliCompress)(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (page: Buffer) => promisify(gzip)(page),
}

export type Encoding = keyof typeof compressors

/** The headers say which encodings a client accepts, and what it already has. */
export type Asked = Readonly<{ headers: IncomingHttpHeaders }>

export const compress = (page: Buffer, encoding: Encoding): Promise<Buffer> =>
  compressors[encoding](page)

/** The best encoding that the client accepts; `undefined` for none. */
export function encodingFor({ headers }: Asked): Encoding | undefined {
  const accepted = headers['accept-encoding']?.toString() ?? ''
  return (['br', 'gzip'] as const).find((each) => accepts(accepted, each))
}

/** Whether `accept-encoding` lists `encoding` with a weight above 0. */
const accepts = (acceptEncoding: string, encoding: Encoding): boolean =>
  acceptEncoding.split(',').some((part) => {
    const [name, weight] = part.split(';').map((text) => text.trim())
    return name === encoding && !/^q=0(\.0*)?$/.test(weight ?? '')
  })

export const entityTag = (page: Buffer | string): string =>
  `"${createHash('sha256').update(page).digest('hex').slice(0, 32)}"`

/** Whether the client already has the page with this ETag. A proxy may have marked it as weak. */
export const isKnown = ({ headers }: Asked, etag: string): boolean =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === etag || each === '*')
