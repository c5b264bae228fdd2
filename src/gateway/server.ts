import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Log } from '#src/config/log.ts'
import type { StoreHealth } from '#src/requests/requestStore.ts'
import type { Client } from '#src/service/callers.ts'
import type { Service } from '#src/service/service.ts'
import type { GraphqlReply } from './graphql/execution/yogaExecutor.ts'
import { createGraphqlApi } from './graphql/graphqlApi.ts'
import { createEventStreams } from './graphql/subscriptions/eventStreams.ts'
import type { LiveEvents } from './graphql/subscriptions/liveEvents.ts'
import { RequestAbortedError } from './http/body.ts'
import { clientOf } from './http/clientOf.ts'
import { closeServer, defaultTimeouts, type HttpServer, serverOptions } from './http/httpServer.ts'
import { maskError } from './http/maskError.ts'
import { type Page, pathOf, routePages } from './http/pages.ts'
import { type Reply, refusal, send } from './http/reply.ts'
import { routeUpgrades, type SocketEndpoint } from './http/webSockets.ts'
import { type AdmissionLimits, createAdmission } from './limits/admission.ts'
import {
  type ConnectionLimits,
  defaultConnectionLimits,
  limitConnections,
} from './limits/connections.ts'
import { createMeters, type MeterOf } from './limits/meter.ts'
import type { RateLimiter } from './limits/rateLimiter.ts'
import { createOverloadRefusal, createUpgradeRefusal } from './limits/refuseOverload.ts'
import type { Metrics } from './monitoring/metrics.ts'
import { isDraining, probePages, readinessOf } from './monitoring/probePages.ts'
import { createPageFiles } from './page/pageFiles.ts'
import { createDocsPages } from './rest/openApi/docsPages.ts'
import { createRestApi } from './rest/restApi.ts'
import { createStatusSockets } from './ws/statusSockets.ts'

type Deps = Readonly<{
  operations: Service
  log: Log
  metrics: Metrics
  /** Whether quotes can be stored. Absent: not checked. */
  storeHealth?: () => StoreHealth
  /** Whether the warm-up has ended. Absent: there is none. */
  isWarm?: () => boolean
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

/** For messages on open sockets, whose client is not known here. */
const unknownClient: Client = { apiKey: undefined, network: '' }

/** The server of the public APIs: GraphQL, REST, /ws, documentation and monitoring. */
export function createGateway(
  deps: Deps,
  { deadlineSeconds, proxies = 0, trustedDocuments, ...limits }: Options = { deadlineSeconds: 10 },
): HttpServer {
  const { log, metrics } = deps
  const timeouts = { ...defaultTimeouts, ...limits.timeouts }
  const admission = createAdmission(
    { now: () => performance.now(), atEndOfTurn: setImmediate },
    limits.admission ?? { maxQueueMs: 0, maxInFlight: Number.POSITIVE_INFINITY },
  )
  const admits = (client = unknownClient): boolean => {
    if (admission.admits(() => deps.operations.waitMs(client))) return true
    metrics.limits.countOverload()
    return false
  }
  const refuseOverload = createOverloadRefusal()
  const meterOf = createMeters(deps.operations.beginTurn, limits.rateLimiter)
  const options = { deadlineSeconds, proxies, trustedDocuments, meterOf, admits }
  let draining = false
  let closing = false
  const { replyTo, isPage, socketEndpoints } = createRoutes(deps, options, () => draining)
  const eventStreams = createEventStreams({ onOpen: () => metrics.openSubscription('sse') })

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = pathOf(request)
    // Monitoring must get its answer even under overload: the process is healthy. Files cost little more than a refusal.
    if (!isPage(path) && !admits(clientOf(request, proxies))) return refuseOverload(response, path)
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
  const server = createServer(serverOptions(timeouts), (request, response) =>
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
    close: () => {
      closing = true
      const endStreams = () => {
        eventStreams.close()
        return Promise.all([...socketEndpoints.values()].map((endpoint) => endpoint.close()))
      }
      return closeServer(server, connections.open(), { graceMs: timeouts.requestMs, endStreams })
    },
  }
}

type RouteOptions = Readonly<{
  deadlineSeconds: number
  proxies: number
  trustedDocuments: Options['trustedDocuments']
  meterOf: MeterOf
  admits: (client?: Client) => boolean
}>

/** Finds the part of the gateway that answers at a path. */
function createRoutes(deps: Deps, options: RouteOptions, isLeaving: () => boolean) {
  const { operations, metrics, storeHealth, isWarm = () => true } = deps
  const graphql = createGraphqlApi(deps, options)
  const routeRest = createRestApi(deps, options)
  const ready = (): Reply => (isLeaving() ? isDraining : readinessOf(operations.chains(), isWarm()))
  const pages = new Map<string, Page>([
    ...createPageFiles(operations.chains),
    ...probePages({ storeHealth, ready, metrics }),
    ...createDocsPages(deps),
  ])
  const answerPage = routePages(pages, 'Not found. The APIs are described at /graphql and /docs')
  return {
    /** Whether a path has a file, or a page for monitoring. */
    isPage: (path: string): boolean => pages.has(path),
    replyTo: (request: IncomingMessage): Reply | Promise<Reply | GraphqlReply> => {
      const path = pathOf(request)
      if (path === '/graphql') return graphql.reply(request)
      const answerRest = routeRest(path)
      return answerRest === undefined ? answerPage(request) : answerRest(request)
    },
    socketEndpoints: new Map<string, SocketEndpoint>([
      ['/graphql', graphql.sockets],
      ['/ws', createStatusSockets(deps, options)],
    ]),
  }
}

/** Ends a subscription whose client is gone, or that starts while the server is closing. */
async function discard(events: LiveEvents, response: ServerResponse): Promise<void> {
  await events.return()
  response.destroy()
}

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
