import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type ErrorCode, statusByCode } from '#src/core/errors.ts'

/** A whole HTTP response, ready to be sent. */
export type Reply = Readonly<{
  status: number
  headers: OutgoingHttpHeaders
  body: string | Buffer
}>

export const json = (status: number, value: unknown, headers: OutgoingHttpHeaders = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
})

/** An error body for every path except /graphql, which answers in the shape of GraphQL. */
export const refusal = (code: ErrorCode, message: string, headers?: OutgoingHttpHeaders): Reply =>
  json(statusByCode[code], { message, errorCode: code, statusCode: statusByCode[code] }, headers)

/** The answer to a CORS preflight. Allows `methods` with any header, from any origin, without credentials. */
export const preflight = (methods: string): Reply => ({
  status: 204,
  headers: {
    'access-control-allow-methods': methods,
    // Some browsers do not know the wildcard: the headers in use are listed by name as well.
    'access-control-allow-headers': 'content-type, x-api-key, *',
    'access-control-max-age': '86400',
  },
  body: '',
})

/** Lets every web page read the answers. Without the list, browsers hide the headers of limits. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-unavailable',
}

const withoutBody = [204, 304]

/** Sends `reply` with CORS headers that let every web page read it, without credentials. */
export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  const length = Buffer.byteLength(body)
  response.writeHead(status, {
    ...corsHeaders,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...headers,
    ...(!withoutBody.includes(status) && { 'content-length': length }),
  })
  // ASCII is the same bytes in both encodings, and Node writes Latin-1 without conversion.
  response.end(body, length === body.length ? 'latin1' : 'utf8')
}
