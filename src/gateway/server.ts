import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '#src/log.ts'
import type { Operations } from '#src/operations/operations.ts'
import { createEventStreams } from './graphql/execution/eventStreams.ts'
import type { LiveEvents } from './graphql/execution/liveEvents.ts'
import type { GraphqlReply } from './graphql/execution/yogaExecutor.ts'
import { createGraphqlApi } from './graphql/graphqlApi.ts'
import { RequestAbortedError } from './http/body.ts'
import { maskError } from './http/maskError.ts'
import { type Page, pathOf, routePages } from './http/pages.ts'
import { json, type Reply, refusal, send } from './http/reply.ts'
import { asksForWebSocket, routeUpgrades, type SocketEndpoint } from './http/webSockets.ts'
import type { Metrics } from './monitoring/metrics.ts'
import { probePages } from './monitoring/probePages.ts'
import { createPageFiles } from './page/pageFiles.ts'
import { createDocsPages } from './rest/openApi/docsPages.ts'
import { createRestApi } from './rest/restApi.ts'
import { createStatusSockets } from './ws/createStatusSockets.ts'

/** An HTTP server of this process. It is not listening yet: the creator starts it. */
export type Gateway = Readonly<{
  server: Server
  /** Stops accepting requests. Resolves once the requests in progress are answered. */
  close: () => Promise<void>
}>

type Options = Readonly<{
  /** An operation that takes longer is answered with REQUEST_TIMED_OUT. */
  deadlineSeconds: number
  /** Reverse proxies in front of the gateway, each of which appends to `X-Forwarded-For`. */
  proxies?: number
  /** The only GraphQL documents to execute, by their ids. */
  trustedDocuments?: ReadonlyMap<string, string> | undefined
}>

/** The server of the public APIs: GraphQL, REST, /ws, documentation and monitoring. */
export function createGateway(
  deps: Readonly<{ operations: Operations; log: Log; metrics: Metrics }>,
  { deadlineSeconds, proxies = 0, trustedDocuments }: Options = { deadlineSeconds: 10 },
): Gateway {
  const { operations, log, metrics } = deps
  const options = { deadlineSeconds, proxies }
  const graphql = createGraphqlApi(deps, { ...options, trustedDocuments })
  const routeRest = createRestApi(deps, options)
  const docs = createDocsPages(deps)

  const ready = (): Reply => {
    const waiting = operations.chains().filter(({ head }) => head === undefined)
    return waiting.length === 0
      ? json(200, { status: 'ready' })
      : json(503, { status: 'waiting', chains: waiting.map(({ id, name }) => ({ id, name })) })
  }

  const answerPage = routePages(
    new Map<string, Page>([
      ...createPageFiles({ operations }),
      ...probePages({ ready, metrics }),
      ...docs,
    ]),
    'Not found. The APIs are described at /graphql and /docs',
  )

  const replyTo = (request: IncomingMessage): Reply | Promise<Reply | GraphqlReply> => {
    const path = pathOf(request)
    if (path === '/graphql') return graphql.reply(request)
    const answerRest = routeRest(path)
    return answerRest === undefined ? answerPage(request) : answerRest(request)
  }

  const socketEndpoints: ReadonlyMap<string, SocketEndpoint> = new Map([
    ['/graphql', graphql.sockets],
    ['/ws', createStatusSockets({ operations, log, metrics })],
  ])

  const eventStreams = createEventStreams({ onOpen: () => metrics.openSubscription('sse') })

  let closing = false
  const server = createServer(serverOptions, async (request, response) => {
    try {
      const reply = await replyTo(request)
      // Answers of one turn of the event loop are sent together: waking up the reader costs more than all writes.
      await endOfTurn()
      if (closing) response.shouldKeepAlive = false
      const { events, headers } = { events: undefined, ...reply }
      if (events === undefined) send(response, reply)
      else if (response.destroyed || closing) await discard(events, response)
      else eventStreams.open(response, headers, events)
    } catch (error) {
      if (error instanceof RequestAbortedError) return
      const masked = maskError(error, log, 'An HTTP request failed', { url: request.url })
      send(response, refusal(masked.code, masked.message))
    }
  })

  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  routeUpgrades(server, socketEndpoints)

  return {
    server,
    close: async () => {
      closing = true
      // If the port was taken, the server never listened, and its callback would never run.
      const closed = server.listening ? closeOf(server) : Promise.resolve()
      server.closeIdleConnections()
      // node:http does not count connections without a request as idle, and stops their timeouts.
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
      const timeout = setTimeout(() => server.closeAllConnections(), serverOptions.requestTimeout)
      eventStreams.close()
      await Promise.all([...socketEndpoints.values()].map((endpoint) => endpoint.close()))
      await closed
      clearTimeout(timeout)
    },
  }
}

/** Times in milliseconds. Idle connections are kept longer than load balancers keep them (60 s). */
const serverOptions = {
  requestTimeout: 15_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  noDelay: true,
  shouldUpgradeCallback: asksForWebSocket,
}

/** Ends a subscription whose client is gone, or that starts while the server is closing. */
async function discard(events: LiveEvents, response: ServerResponse): Promise<void> {
  await events.return?.()
  response.destroy()
}

const closeOf = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)))
  })

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
