import type { Page } from '#src/gateway/http/pages.ts'
import { json, type Reply } from '#src/gateway/http/reply.ts'
import type { Metrics } from './metrics.ts'

type Deps = Readonly<{
  /** 200 once the process can do all its work, else 503 with what it waits for. */
  ready: () => Reply
  metrics: Pick<Metrics, 'contentType' | 'print'>
}>

/** The pages for monitoring, which every process serves. */
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
