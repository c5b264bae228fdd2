import { pause } from '#src/chains/backoff.ts'
import { reasonOf } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { isTerminal, type StoredRequest } from '#src/requests/state/requestState.ts'
import { nextLookUp } from './nextLookUp.ts'
import { stateAfter } from './stateAfter.ts'
import { parseStatus } from './statusAnswer.ts'
import type { UpstreamClient } from './upstreamClient.ts'
import { UpstreamUnavailableError } from './upstreamErrors.ts'

type Deps = Readonly<{
  log: Pick<Log, 'warn'>
  store: Pick<RequestStore, 'claimUpstream' | 'scheduleUpstream' | 'save'>
  client: UpstreamClient
  /** Unix time in milliseconds. */
  now: () => number
}>

/** Look-ups at a time: few enough that prices and quotes find the service free. */
const batch = 8

/** A process that has not finished a look-up by then has stopped. Another one looks up again. */
const claimMs = 30_000

/** How often due look-ups are searched for. */
const searchMs = 500

/** While the service does not answer, or another service has quoted. */
const retryMs = 10_000

/**
 * Follows the requests that another service executes: looks each up there, and stores each change of its status, so that
 * subscribers, webhooks and lists see it as any other.
 */
export function createFollower({ log, store, client, now }: Deps) {
  async function lookUp(request: StoredRequest): Promise<StoredRequest['state']> {
    if (request.execution !== 'upstream') throw new Error(`${request.requestId} is our own`)
    const path = `/intents/status/v3?requestId=${request.upstream.requestId}`
    const state = stateAfter(request, parseStatus(await client.ask({ path })), now())
    // After a conflict the next look-up finds the newer row.
    if (state !== request.state) await store.save({ requests: [{ ...request, state }] })
    return state
  }

  /** When the request is looked up next; `undefined` once it has ended. */
  async function dueAfter(request: StoredRequest): Promise<number | undefined> {
    if (request.execution !== 'upstream' || isTerminal(request.state.status)) return undefined
    if (request.upstream.service !== client.service) return nextLookUp(request, now() + retryMs)
    try {
      const state = await lookUp(request)
      return isTerminal(state.status) ? undefined : nextLookUp({ ...request, state }, now())
    } catch (error) {
      // The client logs outages.
      if (!(error instanceof UpstreamUnavailableError))
        log.warn({ reason: reasonOf(error), requestId: request.requestId }, 'A look-up failed')
      return nextLookUp(request, now() + retryMs)
    }
  }

  /** Returns the number of requests that were looked up. */
  async function round(): Promise<number> {
    const until = now() + claimMs
    const due = await store.claimUpstream({ now: now(), until, limit: batch })
    await Promise.all(
      due.map(async (request) => {
        const dueAt = await dueAfter(request)
        await store.scheduleUpstream(request.requestId, { until, dueAt })
      }),
    )
    return due.length
  }

  return {
    /** Runs until `signal` fires. A look-up that was interrupted is made again. */
    run: async (signal: AbortSignal): Promise<void> => {
      while (!signal.aborted) if ((await round()) < batch) await pause(searchMs, signal)
    },
  }
}
