import type { IncomingMessage } from 'node:http'
import { createStaticReply } from '#src/gateway/http/cachedReply.ts'
import type { Reply } from '#src/gateway/http/reply.ts'
import type { Service } from '#src/service/service.ts'
import { exampleQueries, noRequestId } from './exampleQueries.ts'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  // The page is one document with its workers in blobs. It may connect to this host only.
  'content-security-policy':
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'",
}

/**
 * GraphiQL leaves a tab at the offset at which its opening animation starts, and hides the offset until the tab has the
 * focus. Pressing the tab then moves it away from the pointer, so the press is no click.
 */
const style = '<style>.graphiql-tabs .graphiql-tab{transform:none!important}</style>'

/** Inserts the newest request into the example that follows one, then starts GraphiQL as the page would. */
const startFunction = `function startGraphiql(root, options) {
  const body = JSON.stringify({ query: '{ requests(first: 1) { edges { node { requestId } } } }' })
  const headers = { 'content-type': 'application/json' }
  fetch('/graphql', { method: 'POST', headers, body, signal: AbortSignal.timeout(2000) })
    .then((answer) => answer.json())
    .then(({ data }) => data.requests.edges[0].node.requestId)
    .catch(() => '${noRequestId}')
    .then((requestId) => {
      const toTab = ({ query }) => ({ query: query.replaceAll('${noRequestId}', requestId) })
      const defaultTabs = options.defaultTabs.map(toTab)
      YogaGraphiQL.renderYogaGraphiQL(root, { ...options, defaultTabs })
    })
}
`

/**
 * The GraphiQL page (9 MB) with example queries for the configured chains. It subscribes over server-sent
 * events, or with `?subscriptions=ws` over WebSocket.
 */
export function createGraphiqlPage({ operations }: Readonly<{ operations: Service }>) {
  const pageWith = (subscriptionsProtocol: 'SSE' | 'WS') =>
    createStaticReply(async () => {
      // Imported on the first visit, because it takes 40 MB of memory.
      const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
      const defaultTabs = exampleQueries(operations).map((query) => ({ query }))
      const options = { title: 'Crossquote', defaultTabs, subscriptionsProtocol }
      return Buffer.from(repair(renderGraphiQL(options)))
    }, headers)
  const pages = { events: pageWith('SSE'), sockets: pageWith('WS') }

  return (request: IncomingMessage): Promise<Reply> => {
    const { searchParams } = new URL(request.url ?? '', 'http://gateway')
    const page = searchParams.get('subscriptions') === 'ws' ? pages.sockets : pages.events
    return page(request)
  }
}

/** Adds the style and the start function to GraphiQL's page. @throws Error if the page has another form */
function repair(page: string): string {
  const call = 'YogaGraphiQL.renderYogaGraphiQL('
  const head = page.indexOf('</head>')
  const start = page.lastIndexOf(call)
  if (head < 0 || start < head) throw new Error('The GraphiQL page has another form')
  const script = page.slice(head, start)
  return `${page.slice(0, head)}${style}${script}${startFunction}startGraphiql(${page.slice(start + call.length)}`
}
