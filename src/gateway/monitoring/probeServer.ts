import { createServer } from 'node:http'
import type { Log } from '#src/config/log.ts'
import type { HttpServer } from '#src/gateway/http/httpServer.ts'
import { maskError } from '#src/gateway/http/maskError.ts'
import { routePages } from '#src/gateway/http/pages.ts'
import { json, type Reply, refusal, send } from '#src/gateway/http/reply.ts'
import type { StoreHealth } from '#src/requests/requestStore.ts'
import { isDraining, type MetricsPage, probePages } from './probePages.ts'
import type { WorkerStatus } from './workerStatus.ts'

type Deps = Readonly<{
  log: Log
  storeHealth?: () => StoreHealth
  metrics: MetricsPage
  workerStatuses: () => readonly WorkerStatus[]
}>

/**
 * The HTTP server of a process that runs workers and no gateway. It answers only monitoring. It is not listening yet.
 */
export function createProbeServer({ log, storeHealth, metrics, workerStatuses }: Deps): HttpServer {
  let draining = false
  const ready = (): Reply => {
    if (draining) return isDraining
    const waiting = workerStatuses().filter((worker) => !isReady(worker))
    return waiting.length === 0
      ? json(200, { status: 'ready' })
      : json(503, { status: 'waiting', work: waiting.map(({ name }) => name) })
  }
  const answer = routePages(
    probePages({ storeHealth, ready, metrics }),
    'Not found. Available paths: /health, /ready, /metrics',
  )

  const server = createServer(
    { requestTimeout: 15_000, headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
    (request, response) => {
      void (async () => {
        try {
          send(response, await answer(request))
        } catch (error) {
          const masked = maskError(error, log, 'A monitoring request failed', { url: request.url })
          send(response, refusal(masked.code, masked.message))
        }
      })()
    },
  )

  return {
    server,
    drain: () => {
      draining = true
    },
    close: async () => {
      if (!server.listening) return
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

/** A standby is ready if it can take over at any moment. A leader is ready after its first complete round. */
function isReady(worker: WorkerStatus): boolean {
  switch (worker.leadership) {
    case 'unknown':
      return false
    case 'standsBy':
      return worker.kind !== 'feed' || worker.hasMarket
    case 'leads':
      return hasCompletedRound(worker)
  }
}

function hasCompletedRound(worker: WorkerStatus): boolean {
  switch (worker.kind) {
    case 'tracker':
      return worker.head !== undefined
    case 'solver':
    case 'relayer':
    case 'feed':
      return worker.block !== undefined
    case 'webhooks':
      return true
  }
}
