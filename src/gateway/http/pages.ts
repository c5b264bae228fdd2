import type { IncomingMessage } from 'node:http'
import { preflight } from './preflight.ts'
import { type Reply, refusal } from './reply.ts'

/** What stands at a path to be read. */
export type Page = (request: IncomingMessage) => Reply | Promise<Reply>

const methods = 'GET, HEAD, OPTIONS'

/** Answers by the page at the request's path; where there is none it says `nothing`. */
export const pagesOf =
  (pages: ReadonlyMap<string, Page>, nothing: string): Page =>
  (request) => {
    const path = pathOf(request)
    const page = pages.get(path)
    if (page === undefined) return refusal('NOT_FOUND', nothing)
    if (request.method === 'OPTIONS') return preflight(methods)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refusal('METHOD_NOT_ALLOWED', `${path} takes ${methods}`, { allow: methods })
    return page(request)
  }

/** Without the query. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}
