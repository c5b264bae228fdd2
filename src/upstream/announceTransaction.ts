import type { Log } from '#src/config/log.ts'
import type { UpstreamStore } from '#src/requests/claimedWork.ts'
import type { RequestReads } from '#src/requests/requestStore.ts'
import type { Operations } from '#src/service/operations.ts'
import type { UpstreamClient } from './upstreamClient.ts'

type Deps = Readonly<{
  log: Pick<Log, 'debug'>
  requests: RequestReads & UpstreamStore
  client: UpstreamClient
  /** Unix time in milliseconds. */
  now: () => number
}>

type Announce = Operations['indexTransaction']

/**
 * Announces the transaction of a request that another service executes to that service. The status there is then read
 * at once, even if the service does not answer. `own` handles all other transactions.
 */
export const announceTransaction =
  ({ log, requests, client, now }: Deps, own: Announce): Announce =>
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
