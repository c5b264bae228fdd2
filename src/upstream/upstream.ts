import type { Log } from '#src/config/log.ts'
import type { UpstreamConfig } from '#src/config/upstream.ts'
import type { UpstreamStore } from '#src/requests/claimedWork.ts'
import type { RequestReads } from '#src/requests/requestStore.ts'
import type { Upstream } from '#src/service/fallback.ts'
import type { IndexTransaction } from '#src/service/requests/requestService.ts'
import { toUpstreamTerms } from './asked.ts'
import { createFallback } from './fallback.ts'
import type { UpstreamClient } from './upstreamClient.ts'

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

/**
 * Announces the transaction of a request to the service that executes the request. The status there is then read
 * at once, even if the service does not answer. `own` handles all other transactions.
 */
export const announceTransaction =
  ({ log, requests, client, now }: Deps, own: IndexTransaction): IndexTransaction =>
  async (hint, caller) => {
    const { requestId, chainId, txHash } = hint
    const [request] = requestId === undefined ? [] : await requests.findAll([requestId])
    if (request?.execution !== 'upstream') return own(hint, caller)
    const body = { chainId, txHash, requestId: request.upstream.requestId }
    await client
      .ask({ path: '/transactions/index', body })
      .catch((error: unknown) => log.debug({ err: error }, 'A transaction was not announced'))
    await requests.hastenUpstream(request.requestId, now())
  }
