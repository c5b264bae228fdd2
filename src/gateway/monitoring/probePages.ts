import type { Page } from '#src/gateway/http/pages.ts'
import { json, type Reply } from '#src/gateway/http/reply.ts'
import type { StoreHealth } from '#src/requests/requestStore.ts'
import type { ChainSummary } from '#src/service/chains.ts'

/** The metrics of this process as text. */
export type MetricsPage = Readonly<{ contentType: string; print: () => Promise<string> }>

type Deps = Readonly<{
  /** Whether requests can be stored. Absent: not checked. */
  storeHealth?: (() => StoreHealth) | undefined
  /** 200 once the process can do all its work, else 503 with the reason. */
  ready: () => Reply
  metrics: MetricsPage
}>

/** The pages for monitoring, which every process serves. */
export const probePages = ({ storeHealth, ready, metrics }: Deps): ReadonlyMap<string, Page> =>
  new Map<string, Page>([
    ['/health', () => json(200, { status: 'ok' })],
    ['/ready', () => failingStore(storeHealth?.()) ?? ready()],
    [
      '/metrics',
      async () => ({
        status: 200,
        headers: { 'content-type': metrics.contentType },
        body: await metrics.print(),
      }),
    ],
  ])

const failingStore = (health: StoreHealth | undefined): Reply | undefined =>
  health === undefined || health.ok
    ? undefined
    : json(503, { status: 'failing', reasons: [`Requests cannot be stored: ${health.reason}`] })

/** The answer of `/ready` while the process finishes its work before it stops. */
export const isDraining = json(503, { status: 'draining' })

/** The answer of `/ready` of a gateway: 200 once it can price orders on all chains, else 503 with the reason. */
export function readinessOf(chains: readonly ChainSummary[], isWarm: boolean): Reply {
  const waiting = chains.filter(({ head }) => head === undefined)
  if (waiting.length > 0)
    return json(503, {
      status: 'waiting',
      chains: waiting.map(({ id, name, waitsFor }) => ({ id, name, waitsFor })),
    })
  // Orders on a disabled chain are refused anyway, so a chain that has stopped for good does not stop the others.
  const stale = chains.flatMap(({ id, name, disabled, market }) =>
    disabled || market?.staleReason === undefined ? [] : [{ id, name, reason: market.staleReason }],
  )
  if (stale.length > 0) return json(503, { status: 'stale', chains: stale })
  if (!isWarm) return json(503, { status: 'waiting', work: ['the first prices'] })
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
