import { createServer } from 'node:http'
import { pagesOf } from '#src/gateway/http/pages.ts'
import { json, type Reply, refusal, send } from '#src/gateway/http/reply.ts'
import type { Gateway } from '#src/gateway/server.ts'
import type { Log } from '#src/log.ts'
import type { Metrics } from './metrics.ts'
import { probePages } from './probePages.ts'
import type { Duty } from './workerStatus.ts'

type Deps = Readonly<{
  log: Log
  metrics: Pick<Metrics, 'contentType' | 'print'>
  duties: () => readonly Duty[]
}>

/** Of a process that is no gateway: what monitors ask it. Not listening yet. */
export function createProbeServer({ log, metrics, duties }: Deps): Gateway {
  const ready = (): Reply => {
    const waiting = duties().filter((duty) => !isReady(duty))
    return waiting.length === 0
      ? json(200, { status: 'ready' })
      : json(503, { status: 'waiting', work: waiting.map(({ name }) => name) })
  }
  const pageAt = pagesOf(
    probePages({ ready, metrics }),
    'Nothing is at this path; /health, /ready and /metrics are',
  )

  const server = createServer(
    { requestTimeout: 15_000, headersTimeout: 10_000 },
    (request, response) => {
      void (async () => {
        try {
          send(response, await pageAt(request))
        } catch (error) {
          log.error({ err: error, url: request.url }, 'A request failed')
          send(response, refusal('UNKNOWN_ERROR', 'Something went wrong on our side'))
        }
      })()
    },
  )

  return {
    server,
    close: async () => {
      if (!server.listening) return
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

/** A standby is: it can begin at any moment. Who leads has looked once at what it works on. */
function isReady(duty: Duty): boolean {
  switch (duty.turn) {
    case 'unknown':
      return false
    case 'standsBy':
      return true
    case 'leads':
      return hasLooked(duty)
  }
}

function hasLooked(duty: Duty): boolean {
  switch (duty.kind) {
    case 'tracker':
      return duty.head !== undefined
    case 'solver':
      return duty.block !== undefined
    case 'webhooks':
      return true
  }
}
