import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { backoffMs } from '#src/chains/backoff.ts'
import { createWakeSignal } from '#src/chains/wakeSignal.ts'
import type { Log } from '#src/config/log.ts'
import type { WebhookDelivery, WebhookStore } from '#src/requests/claimedWork.ts'
import type { WakeupSource } from '#src/requests/events/bus.ts'
import type { ChangeReads } from '#src/requests/requestStore.ts'
import { initialState } from '#src/requests/state/requestState.ts'
import { differsFrom, type StatusUpdate, statusUpdate } from '#src/requests/status.ts'

type Deps = Readonly<{
  log: Log
  store: WebhookStore & ChangeReads
  bus: WakeupSource
  /** Unix time in milliseconds. */
  now: () => number
  fetch?: typeof fetch
}>

/** An API key with a webhook. */
type WebhookClient = Readonly<{ name: string; key: string; webhookUrl: string }>

/** Maximum number of parallel calls to one client. */
const maxParallel = 16

const timeoutMs = 10_000

/** Duration of a claim. A process that has not finished the call by then has stopped, and the call is repeated. */
const leaseMs = 30_000

/** Retries after the first call. */
const maxRetries = 10

const retryPause = { minMs: 1_000, maxMs: 300_000 }

/** Maximum delay until calls are found that another process left, or whose wake-up message was lost. */
const sweepMs = 10_000

/**
 * Calls the clients' webhooks for each change of their requests, in order per request. A call is repeated until it is
 * answered with 2xx or has failed too often. A call that was answered just before a crash is made again.
 */
export function createWebhooks(
  deps: Deps,
  {
    apiKeys,
  }: Readonly<{
    apiKeys: readonly Readonly<{ name: string; key: string; webhookUrl?: string | undefined }>[]
  }>,
) {
  const clients = apiKeys.flatMap(({ name, key, webhookUrl }) =>
    webhookUrl === undefined ? [] : [{ name, key, webhookUrl }],
  )
  return {
    /**
     * Runs until `signal` fires. Claims keep several processes from making the same call. A call may repeat after a
     * crash.
     */
    run: async (signal: AbortSignal): Promise<void> => {
      const ended = signal.aborted ? undefined : once(signal, 'abort')
      await Promise.all([ended, ...clients.map((client) => serve(deps, client, signal))])
    },
  }
}

/** Makes the calls of one client when they are due, some in parallel. */
async function serve(deps: Deps, client: WebhookClient, signal: AbortSignal): Promise<void> {
  const { log, store, bus, now } = deps
  const wakeSignal = createWakeSignal()
  const stopListening = bus.listen(({ kind }) => {
    if (kind !== 'hint') wakeSignal.wake()
  })
  signal.addEventListener('abort', wakeSignal.wake)
  const underWay = new Set<Promise<void>>()
  /** Known times at which a retry is due. */
  const dueTimes = new Set<number>()

  const start = (delivery: WebhookDelivery): void => {
    const done = dispatch(deps, delivery, client, signal)
      .then((dueAt) => {
        if (dueAt !== undefined) dueTimes.add(dueAt)
      })
      .catch((error: unknown) =>
        log.warn({ err: error }, 'Could not record the outcome of a webhook call'),
      )
      .finally(() => {
        underWay.delete(done)
        wakeSignal.wake()
      })
    underWay.add(done)
  }

  while (!signal.aborted) {
    const checkedAt = now()
    try {
      const limit = maxParallel - underWay.size
      const terms = { apiKey: client.name, now: checkedAt, leaseMs, limit }
      const due = limit === 0 ? [] : await store.claimWebhooks(terms)
      if (!signal.aborted) due.forEach(start)
    } catch (error) {
      log.warn({ err: error }, 'Could not read the due webhook calls; retrying')
      dueTimes.add(now() + retryPause.minMs)
    }
    // Timers fire up to a millisecond early: times that are not due yet are kept.
    let nextAt = now() + sweepMs
    for (const dueAt of dueTimes)
      if (dueAt <= checkedAt) dueTimes.delete(dueAt)
      else nextAt = Math.min(nextAt, dueAt)
    await wakeSignal.wait(Math.max(0, nextAt - now()))
  }
  signal.removeEventListener('abort', wakeSignal.wake)
  stopListening()
  await Promise.all(underWay)
}

/** Makes the call if the change is visible. Returns the time of the retry (Unix ms); undefined if none is due. */
async function dispatch(
  deps: Deps,
  delivery: WebhookDelivery,
  client: WebhookClient,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { log, store, now } = deps
  const { requestId, state } = delivery.change
  const at = { client: client.name, requestId, seq: state.seq }
  try {
    if (await isVisibleChange(store, delivery)) await call(deps, delivery, client, signal)
  } catch (error) {
    // Interrupted by the shutdown: the claim expires, and the next process calls again.
    if (signal.aborted) return undefined
    const failures = delivery.failures + 1
    if (failures <= maxRetries) {
      const dueAt = now() + backoffMs(failures, retryPause)
      log.info({ ...at, failures, reason: failureOf(error) }, 'A webhook call failed')
      await store.recordWebhookOutcome(delivery, { dueAt })
      return dueAt
    }
    log.warn({ ...at, failures, reason: failureOf(error) }, 'Gave up a webhook call')
  }
  await store.recordWebhookOutcome(delivery, 'done')
  return undefined
}

/** Whether the status update differs from the previous one. Progress of a step alone is not sent. */
async function isVisibleChange(
  store: ChangeReads,
  { change, request }: WebhookDelivery,
): Promise<boolean> {
  const { seq } = change.state
  const [before] = seq === 1 ? [] : await store.changesAfter(change.requestId, seq - 2)
  const state = before?.state ?? initialState(request)
  return differsFrom(statusUpdate(request, change.state), statusUpdate(request, state))
}

/** @throws Error with the reason, without the URL, which may contain secrets. */
async function call(
  { now, fetch: send = fetch }: Deps,
  { change, request }: WebhookDelivery,
  { key, webhookUrl }: WebhookClient,
  signal: AbortSignal,
): Promise<void> {
  const { body, headers } = encodeCall(statusUpdate(request, change.state), now(), key)
  const response = await send(webhookUrl, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
}

/** The reason of a failed call, without the URL, which may contain secrets. `fetch` puts a code into the cause. */
function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Unknown'
  const { cause } = error
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return error.name === 'TypeError' ? 'No connection' : error.message
}

/** A webhook call. The signature covers exactly these bytes. */
type Call = Readonly<{ body: string; headers: Readonly<Record<string, string>> }>

/** Encodes a status update, sent at `timestamp` (Unix ms) and signed with the API key of the quote. */
function encodeCall(update: StatusUpdate, timestamp: number, key: string): Call {
  const body = JSON.stringify({ event: 'request.status.updated', timestamp, data: update })
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-signature-timestamp': `${timestamp}`,
      'x-signature-sha256': createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex'),
    },
  }
}
