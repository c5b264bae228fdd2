import type { Page } from '#src/gateway/http/pages.ts'
import { json, type Reply } from '#src/gateway/http/reply.ts'
import type { StoreHealth } from '#src/requests/requestStore.ts'

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
