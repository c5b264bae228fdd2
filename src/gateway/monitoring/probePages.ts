import type { Page } from '#src/gateway/http/pages.ts'
import { json, type Reply } from '#src/gateway/http/reply.ts'
import type { Metrics } from './metrics.ts'

type Deps = Readonly<{
  /** Whether there is no work yet that this process cannot do: 200, or 503 and what it waits for. */
  ready: () => Reply
  metrics: Pick<Metrics, 'contentType' | 'print'>
}>

/** What those who run a process ask it. */
export const probePages = ({ ready, metrics }: Deps): ReadonlyMap<string, Page> =>
  new Map<string, Page>([
    ['/health', () => json(200, { status: 'ok' })],
    ['/ready', ready],
    [
      '/metrics',
      async () => ({
        status: 200,
        headers: { 'content-type': metrics.contentType },
        body: await metrics.print(),
      }),
    ],
  ])
