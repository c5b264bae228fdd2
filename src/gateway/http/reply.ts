import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type ErrorCode, statusByCode } from '#src/errors.ts'

/** An HTTP answer. */
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

/** An error as paths that speak no GraphQL give it. */
export const refusal = (code: ErrorCode, message: string, headers?: OutgoingHttpHeaders): Reply =>
  json(statusByCode[code], { message, errorCode: code, statusCode: statusByCode[code] }, headers)

const withoutBody = [204, 304]

/** Sends `reply`, which every web page may read, though without the credentials of its reader. */
export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, {
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...headers,
    ...(!withoutBody.includes(status) && { 'content-length': Buffer.byteLength(body) }),
  })
  response.end(body)
}
