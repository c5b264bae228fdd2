import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Log } from '#src/log.ts'
import type { Operations } from '#src/operations/operations.ts'
import { RequestAbortedError } from './body.ts'
import { createGraphqlFace } from './graphqlFace.ts'
import type { Metrics } from './metrics.ts'
import { preflight } from './preflight.ts'
import { json, type Reply, refusal, send } from './reply.ts'
import { createDocsFace } from './rest/docsFace.ts'
import { createRestFace } from './rest/restFace.ts'

/** Answers the network. Not listening yet: that is up to who made it. */
export type Gateway = Readonly<{
  server: Server
  /** Takes no more requests, and is done when those under way are answered. */
  close: () => Promise<void>
}>

type Options = Readonly<{
  /** An operation that takes longer is answered REQUEST_TIMED_OUT. */
  deadlineSeconds: number
}>

type Page = (request: IncomingMessage) => Reply | Promise<Reply>

export function createGateway(
  deps: Readonly<{ operations: Operations; log: Log; metrics: Metrics }>,
  options: Options = { deadlineSeconds: 10 },
): Gateway {
  const { operations, log, metrics } = deps
  const graphql = createGraphqlFace(deps, options)
  const restAt = createRestFace(deps, options)
  const docs = createDocsFace(deps)

  const readyReply = (): Reply => {
    const waiting = operations.chains().filter(({ head }) => head === undefined)
    return waiting.length === 0
      ? json(200, { status: 'ready' })
      : json(503, { status: 'waiting', chains: waiting.map(({ id, name }) => ({ id, name })) })
  }

  const pages = new Map<string, Page>([
    ['/', () => ({ status: 302, headers: { location: '/graphql' }, body: '' })],
    ['/health', () => json(200, { status: 'ok' })],
    ['/ready', readyReply],
    [
      '/metrics',
      async () => ({
        status: 200,
        headers: { 'content-type': metrics.contentType },
        body: await metrics.print(),
      }),
    ],
    ...docs,
  ])

  const replyTo = (request: IncomingMessage): Reply | Promise<Reply> => {
    const path = pathOf(request)
    if (path === '/graphql') return graphql(request)
    const rest = restAt(path)
    if (rest !== undefined) return rest(request)
    const page = pages.get(path)
    if (page === undefined)
      return refusal('NOT_FOUND', 'Nothing is at this path; /graphql and /docs are')
    if (request.method === 'OPTIONS') return preflight(pageMethods)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refusal('METHOD_NOT_ALLOWED', `${path} takes ${pageMethods}`, { allow: pageMethods })
    return page(request)
  }

  let closing = false
  const server = createServer(serverOptions, async (request, response) => {
    try {
      const reply = await replyTo(request)
      // Answers of one turn of the event loop leave together: the first write wakes their reader up,
      // which costs more than all the writes.
      await endOfTurn()
      if (closing) response.shouldKeepAlive = false
      send(response, reply)
    } catch (error) {
      if (error instanceof RequestAbortedError) return
      log.error({ err: error, url: request.url }, 'A request failed')
      send(response, refusal('UNKNOWN_ERROR', 'Something went wrong on our side'))
    }
  })

  return {
    server,
    close: () =>
      new Promise((resolve, reject) => {
        closing = true
        server.close((error) => (error === undefined ? resolve() : reject(error)))
        server.closeIdleConnections()
      }),
  }
}

/** Milliseconds: slow senders are cut off, while idle connections outlive those of balancers (60 s). */
const serverOptions = {
  requestTimeout: 15_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  noDelay: true,
}

const pageMethods = 'GET, HEAD, OPTIONS'

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function pathOf({ url = '/' }: IncomingMessage): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}
