import type { IncomingMessage } from 'node:http'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import type { Reply } from '#src/gateway/http/reply.ts'
import { createStaticReply } from '#src/gateway/http/staticReply.ts'
import type { Operations } from '#src/operations/operations.ts'
import { exampleQueries } from './exampleQueries.ts'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  // The page is one document with its workers in blobs. It may connect to this host only.
  'content-security-policy':
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'",
}

/**
 * The GraphiQL page (9 MB) with example queries for the configured chains. It subscribes over server-sent
 * events, or with `?subscriptions=ws` over WebSocket.
 */
export function createGraphiqlPage({ operations }: Readonly<{ operations: Operations }>) {
  const pageWith = (subscriptionsProtocol: 'SSE' | 'WS') =>
    createStaticReply(() => {
      const defaultTabs = exampleQueries(operations).map((query) => ({ query }))
      const options = { title: 'Crossquote', defaultTabs, subscriptionsProtocol }
      return Buffer.from(renderGraphiQL(options))
    }, headers)
  const pages = { events: pageWith('SSE'), sockets: pageWith('WS') }

  return (request: IncomingMessage): Promise<Reply> => {
    const { searchParams } = new URL(request.url ?? '', 'http://gateway')
    const page = searchParams.get('subscriptions') === 'ws' ? pages.sockets : pages.events
    return page(request)
  }
}
