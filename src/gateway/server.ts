import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Log } from '#src/config/log.ts'
import type { StoreHealth } from '#src/requests/requestStore.ts'
import type { Operations } from '#src/service/operations.ts'
import type { GraphqlReply } from './graphql/execution/yogaExecutor.ts'
import { createGraphqlApi } from './graphql/graphqlApi.ts'
import { createEventStreams } from './graphql/subscriptions/eventStreams.ts'
import type { LiveEvents } from './graphql/subscriptions/liveEvents.ts'
import { RequestAbortedError } from './http/body.ts'
import { maskError } from './http/maskError.ts'
import { type Page, pathOf, routePages } from './http/pages.ts'
import { json, type Reply, refusal, send } from './http/reply.ts'
import { asksForWebSocket, routeUpgrades, type SocketEndpoint } from './http/webSockets.ts'
import { type AdmissionLimits, createAdmission } from './limits/admission.ts'
import {
  type ConnectionLimits,
  defaultConnectionLimits,
  limitConnections,
} from './limits/connections.ts'
import { createMeters } from './limits/meter.ts'
import type { RateLimiter } from './limits/rateLimiter.ts'
import { createOverloadRefusal, createUpgradeRefusal } from './limits/refuseOverload.ts'
import type { Metrics } from './monitoring/metrics.ts'
import { isDraining, probePages, probePaths } from './monitoring/probePages.ts'
import { createPageFiles } from './page/pageFiles.ts'
import { createDocsPages } from './rest/openApi/docsPages.ts'
import { createRestApi } from './rest/restApi.ts'
import { createStatusSockets } from './ws/statusSockets.ts'

/** An HTTP server of this process. It is not listening yet: the creator starts it. */
export type Gateway = Readonly<{
  server: Server
  /**
   * From now on `/ready` is 503 and each answer closes its connection, so that load balancers choose other processes.
   * Requests are still answered.
   */
  drain: () => void
  /** Stops accepting requests. Resolves once the requests in progress are answered. */
  close: () => Promise<void>
}>

type Options = Readonly<{
  /** An operation that takes longer is answered with REQUEST_TIMED_OUT. */
  deadlineSeconds: number
  /** Reverse proxies in front of the gateway, each of which appends to `X-Forwarded-For`. */
  proxies?: number
  /** The only GraphQL documents to execute, by id. */
  trustedDocuments?: ReadonlyMap<string, string> | undefined
  /** Without it clients have no rate limit. */
  rateLimiter?: RateLimiter | undefined
  /** Without them everything is admitted. */
  admission?: AdmissionLimits | undefined
  connections?: Partial<ConnectionLimits>
  timeouts?: Partial<typeof defaultTimeouts>
}>

/** The server of the public APIs: GraphQL, REST, /ws, documentation and monitoring. */
export function createGateway(
  deps: Readonly<{
    operations: Operations
    log: Log
    metrics: Metrics
    /** Whether quotes can be stored. Absent: not checked. */
    storeHealth?: () => StoreHealth
    /** Whether the warm-up has ended. Absent: there is none. */
    isWarm?: () => boolean
  }>,
  { deadlineSeconds, proxies = 0, trustedDocuments, ...limits }: Options = { deadlineSeconds: 10 },
): Gateway {
  const { operations, log, metrics, storeHealth, isWarm = () => true } = deps
  const timeouts = { ...defaultTimeouts, ...limits.timeouts }
  const admission = createAdmission(
    { now: () => performance.now(), atEndOfTurn: setImmediate },
    limits.admission ?? { maxQueueMs: 0, maxInFlight: Number.POSITIVE_INFINITY },
  )
  const admits = (): boolean => {
    if (admission.admits()) return true
    metrics.limits.countOverload()
    return false
  }
  const refuseOverload = createOverloadRefusal()
  const options = { deadlineSeconds, proxies, meterOf: createMeters(limits.rateLimiter), admits }
  const graphql = createGraphqlApi(deps, { ...options, trustedDocuments })
  const routeRest = createRestApi(deps, options)
  const docs = createDocsPages(deps)

  let draining = false
  const ready = (): Reply => {
    if (draining) return isDraining
    const chains = operations.chains()
    const waiting = chains.filter(({ head }) => head === undefined)
    if (waiting.length > 0)
      return json(503, {
        status: 'waiting',
        chains: waiting.map(({ id, name, waitsFor }) => ({ id, name, waitsFor })),
      })
    // Orders on a disabled chain are refused anyway, so a chain that has stopped for good does not stop the others.
    const stale = chains.flatMap(({ id, name, disabled, market }) =>
      disabled || market?.staleReason === undefined
        ? []
        : [{ id, name, reason: market.staleReason }],
    )
    if (stale.length > 0) return json(503, { status: 'stale', chains: stale })
    if (!isWarm()) return json(503, { status: 'waiting', work: ['the first prices'] })
    // Without the prices of a chain the process still serves the others.
    const withoutPrices = chains
      .filter(({ sequencer = 'up' }) => sequencer !== 'up')
      .map(({ id, name, sequencer }) => ({ id, name, sequencer }))
    const refusedFactories = chains.flatMap(({ market }) => market?.refusedFactories ?? [])
    return json(200, {
      status: 'ready',
      ...(withoutPrices.length > 0 && { withoutPrices }),
      ...(refusedFactories.length > 0 && { refusedFactories }),
    })
  }

  const answerPage = routePages(
    new Map<string, Page>([
      ...createPageFiles({ operations }),
      ...probePages({ storeHealth, ready, metrics }),
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
    ['/ws', createStatusSockets({ operations, log, metrics }, options)],
  ])

  const eventStreams = createEventStreams({ onOpen: () => metrics.openSubscription('sse') })

  let closing = false
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = pathOf(request)
    // Monitoring must get its answer even under overload: the process is healthy.
    if (!probePaths.has(path) && !admits()) return refuseOverload(response, path)
    const leave = admission.enter()
    try {
      const reply = await replyTo(request)
      // The answers of one turn of the event loop are sent together: waking up the reader costs more than all writes.
      await endOfTurn()
      if (closing || draining) response.shouldKeepAlive = false
      const { events, headers } = { events: undefined, ...reply }
      if (events === undefined) send(response, reply)
      else if (response.destroyed || closing) await discard(events, response)
      else eventStreams.open(response, headers, events)
    } catch (error) {
      if (error instanceof RequestAbortedError) return
      const masked = maskError(error, log, 'An HTTP request failed', { url: request.url })
      send(response, refusal(masked.code, masked.message))
    } finally {
      leave()
    }
  }
  const server = createServer(optionsOf(timeouts), (request, response) =>
    connections.inTurn(response, () => void answer(request, response)),
  )
  const connections = limitConnections(server, metrics.limits, {
    ...defaultConnectionLimits,
    ...limits.connections,
  })
  routeUpgrades(server, socketEndpoints, createUpgradeRefusal({ log }, options))

  return {
    server,
    drain: () => {
      draining = true
    },
    close: async () => {
      closing = true
      // If the port was taken, the server never listened, and its callback would never run.
      const closed = server.listening ? closeOf(server) : Promise.resolve()
      server.closeIdleConnections()
      // node:http does not count connections without a request as idle, and stops their timeouts.
      for (const socket of connections.open()) if (socket.bytesRead === 0) socket.destroy()
      const timeout = setTimeout(() => server.closeAllConnections(), timeouts.requestMs)
      eventStreams.close()
      await Promise.all([...socketEndpoints.values()].map((endpoint) => endpoint.close()))
      await closed
      clearTimeout(timeout)
    },
  }
}

/** Limits for receiving the headers of a request, for receiving all of it, and between requests. */
const defaultTimeouts = {
  headersMs: 10_000,
  requestMs: 15_000,
  // Longer than load balancers keep idle connections (60 s).
  keepAliveMs: 65_000,
}

const optionsOf = ({ headersMs, requestMs, keepAliveMs }: typeof defaultTimeouts) => ({
  headersTimeout: headersMs,
  requestTimeout: requestMs,
  // By default node:http checks for late requests only twice a minute.
  connectionsCheckingInterval: headersMs / 10,
  keepAliveTimeout: keepAliveMs,
  noDelay: true,
  shouldUpgradeCallback: asksForWebSocket,
})

/** Ends a subscription whose client is gone, or that starts while the server is closing. */
async function discard(events: LiveEvents, response: ServerResponse): Promise<void> {
  await events.return()
  response.destroy()
}

const closeOf = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)))
  })

/** Callbacks for the end of this turn of the event loop. */
let waiting: (() => void)[] = []

/** Resolves once the requests that have arrived by now are processed. All waiters share one timer. */
const endOfTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) > 1) return
    setImmediate(() => {
      const ended = waiting
      waiting = []
      for (const end of ended) end()
    })
  })
