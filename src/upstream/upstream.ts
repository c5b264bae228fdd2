import type { Log } from '#src/config/log.ts'
import type { UpstreamConfig } from '#src/config/upstream.ts'
import type { UpstreamStore } from '#src/requests/claimedWork.ts'
import type { RequestReads } from '#src/requests/requestStore.ts'
import type { Upstream } from '#src/service/fallback.ts'
import { announceTransaction } from './announceTransaction.ts'
import { createFallback } from './fallback.ts'
import type { UpstreamClient } from './upstreamClient.ts'
import { toUpstreamTerms } from './upstreamTerms.ts'

type Deps = Readonly<{
  log: Pick<Log, 'debug'>
  requests: RequestReads & UpstreamStore
  client: UpstreamClient
  /** Unix time in milliseconds. */
  now: () => number
}>

/**
 * The service that the configuration names, as a fallback.
 * @param isOnly whether this gateway has no chains of its own. `useFallbacks` is then true by default
 */
export const createUpstream = (
  deps: Deps,
  config: UpstreamConfig,
  { isOnly }: Readonly<{ isOnly: boolean }>,
): Upstream => ({
  fallbackFor: (own) =>
    createFallback({ ...own, client: deps.client, terms: toUpstreamTerms(config), isOnly }),
  announcing: (own) => announceTransaction(deps, own),
})
