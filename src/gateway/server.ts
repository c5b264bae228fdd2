import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '#src/log.ts'
import type { Operations } from '#src/operations/operations.ts'
import { createEventStreams } from './graphql/execution/eventStreams.ts'
import type { LiveEvents } from './graphql/execution/liveEvents.ts'
import { createGraphqlFace } from './graphql/graphqlApi.ts'
import type { Answer } from './http/answer.ts'
import { RequestAbortedError } from './http/body.ts'
import { type Page, pagesOf, pathOf } from './http/pages.ts'
import { json, type Reply, refusal, send } from './http/reply.ts'
import { asksForWebSocket, routeUpgrades, type SocketFace } from './http/webSockets.ts'
import type { Metrics } from './monitoring/metrics.ts'
import { probePages } from './monitoring/probePages.ts'
import { createDocsFace } from './rest/openApi/docsPages.ts'
import { createRestFace } from './rest/restApi.ts'
import { createStatusSockets } from './ws/createStatusSockets.ts'

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

  const pageAt = pagesOf(
    new Map<string, Page>([
      ['/', () => ({ status: 302, headers: { location: '/graphql' }, body: '' })],
      ...probePages({ ready: readyReply, metrics }),
      ...docs,
    ]),
    'Nothing is at this path; /graphql and /docs are',
  )

  const replyTo = (request: IncomingMessage): Reply | Promise<Reply | Answer> => {
    const path = pathOf(request)
    if (path === '/graphql') return graphql.reply(request)
    const rest = restAt(path)
    return rest === undefined ? pageAt(request) : rest(request)
  }

  const socketFaces: ReadonlyMap<string, SocketFace> = new Map([
    ['/graphql', graphql.sockets],
    ['/ws', createStatusSockets({ operations, log, metrics })],
  ])

  const eventStreams = createEventStreams({ onOpen: () => metrics.openSubscription('sse') })

  let closing = false
  const server = createServer(serverOptions, async (request, response) => {
    try {
      const reply = await replyTo(request)
      // Answers of one turn of the event loop leave together: the first write wakes their reader up,
      // which costs more than all the writes.
      await endOfTurn()
      if (closing) response.shouldKeepAlive = false
      const { events, headers } = { events: undefined, ...reply }
      if (events === undefined) send(response, reply)
      else if (response.destroyed || closing) await discard(events, response)
      else eventStreams.open(response, headers, events)
    } catch (error) {
      if (error instanceof RequestAbortedError) return
      log.error({ err: error, url: request.url }, 'A request failed')
      send(response, refusal('UNKNOWN_ERROR', 'Something went wrong on our side'))
    }
  })

  const connections = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  routeUpgrades(server, socketFaces)

  return {
    server,
    close: async () => {
      closing = true
      // One that never listened, as its port is taken, has no end to wait for.
      const closed = server.listening ? closeOf(server) : Promise.resolve()
      server.closeIdleConnections()
      // For node:http who never asked anything is not idle, and who is slow to ask is timed no more.
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
      const patience = setTimeout(() => server.closeAllConnections(), serverOptions.requestTimeout)
      eventStreams.close()
      await Promise.all([...socketFaces.values()].map((face) => face.close()))
      await closed
      clearTimeout(patience)
    },
  }
}

/** Milliseconds: slow senders are cut off, while idle connections outlive those of balancers (60 s). */
const serverOptions = {
  requestTimeout: 15_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  noDelay: true,
  shouldUpgradeCallback: asksForWebSocket,
}

/** For nobody, or nobody any more. */
async function discard(events: LiveEvents, response: ServerResponse): Promise<void> {
  await events.return?.()
  response.destroy()
}

const closeOf = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)))
  })

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
