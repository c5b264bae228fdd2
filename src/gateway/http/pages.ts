import type { IncomingMessage } from 'node:http'
import { preflight, type Reply, refusal } from './reply.ts'

/** Answers a GET of one path. */
export type Page = (request: IncomingMessage) => Reply | Promise<Reply>

const methods = 'GET, HEAD, OPTIONS'

/** Answers a request with the page at its path. Answers 404 with the text `notFound` if there is none. */
export const routePages =
  (pages: ReadonlyMap<string, Page>, notFound: string): Page =>
  (request) => {
    const path = pathOf(request)
    const page = pages.get(path)
    if (page === undefined) return refusal('NOT_FOUND', notFound)
    if (request.method === 'OPTIONS') return preflight(methods)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refusal('METHOD_NOT_ALLOWED', `${path} accepts ${methods}`, { allow: methods })
    return page(request)
  }

/** The path of a request, without its query. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}
