import { once } from 'node:events'
import { createAlarm } from '#src/chains/alarm.ts'
import type { Log } from '#src/log.ts'
import type { Bus } from '#src/requests/events/bus.ts'
import type { RequestStore, WebhookDelivery } from '#src/requests/requestStore.ts'
import { initialState } from '#src/requests/state/requestState.ts'
import { statusUpdate, tellsMore } from '#src/requests/status/statusUpdate.ts'
import { encodeCall } from './encodeCall.ts'

type Deps = Readonly<{
  log: Log
  store: Pick<RequestStore, 'claimWebhooks' | 'settleWebhook' | 'changesAfter'>
  bus: Pick<Bus, 'listen'>
  /** Milliseconds since 1970. */
  now: () => number
  fetch?: typeof fetch
}>

/** A client whose webhook is called. */
export type WebhookClient = Readonly<{ name: string; key: string; webhookUrl: string }>

/** Calls that one client may have to answer at a time. */
const mostAtOnce = 16

const timeoutMs = 10_000

/** Whoever claimed a call has made it by then, or is gone: then it is made again. */
const leaseMs = 30_000

/** After the first call. */
const mostRetries = 10

/** Doubled with each failure. */
const firstPauseMs = 1_000
const longestPauseMs = 300_000

/** How soon calls are found that another process left behind, or whose wake-up was lost. */
const sweepMs = 10_000

/**
 * Calls the webhooks of clients: each change of a request of theirs, those of one request in order, until
 * it is answered 2xx or has failed too often. One that was answered just before a crash comes again.
 */
export function createWebhooks(
  { log, store, bus, now, fetch: send = fetch }: Deps,
  {
    apiKeys,
  }: Readonly<{
    apiKeys: readonly Readonly<{ name: string; key: string; webhookUrl?: string | undefined }>[]
  }>,
) {
  const clients = apiKeys.flatMap(({ name, key, webhookUrl }) =>
    webhookUrl === undefined ? [] : [{ name, key, webhookUrl }],
  )

  /** Whether the change before told the same: how far a step has come is no news here. */
  const isNews = async ({ change, request }: WebhookDelivery): Promise<boolean> => {
    const { seq } = change.state
    const [before] = seq === 1 ? [] : await store.changesAfter(change.requestId, seq - 2)
    const state = before?.state ?? initialState(request)
    return tellsMore(statusUpdate(request, change.state), statusUpdate(request, state))
  }

  /** @throws Error that says why it failed, without the address: some have secrets in them. */
  const call = async (
    { change, request }: WebhookDelivery,
    { key, webhookUrl }: WebhookClient,
    signal: AbortSignal,
  ): Promise<void> => {
    const { body, headers } = encodeCall(statusUpdate(request, change.state), now(), key)
    const response = await send(webhookUrl, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`Answered ${response.status}`)
  }

  /** When it is due again, unless that is settled. */
  const deliver = async (
    delivery: WebhookDelivery,
    client: WebhookClient,
    signal: AbortSignal,
  ): Promise<number | undefined> => {
    const { requestId, state } = delivery.change
    const at = { client: client.name, requestId, seq: state.seq }
    try {
      if (await isNews(delivery)) await call(delivery, client, signal)
    } catch (error) {
      // Cut off by us: the claim runs out, and whoever is next calls again.
      if (signal.aborted) return undefined
      const failures = delivery.failures + 1
      if (failures <= mostRetries) {
        const dueAt = now() + pauseAfter(failures)
        log.info({ ...at, failures, reason: reasonOf(error) }, 'A webhook failed')
        await store.settleWebhook(delivery, { dueAt })
        return dueAt
      }
      log.warn({ ...at, failures, reason: reasonOf(error) }, 'A webhook is given up')
    }
    await store.settleWebhook(delivery, 'done')
    return undefined
  }

  const serve = async (client: WebhookClient, signal: AbortSignal): Promise<void> => {
    const alarm = createAlarm()
    const stopListening = bus.listen(({ kind }) => {
      if (kind !== 'hint') alarm.ring()
    })
    signal.addEventListener('abort', alarm.ring)
    const underWay = new Set<Promise<void>>()
    /** When it is worth a look, as far as is known here. */
    const dueTimes = new Set<number>()

    const start = (delivery: WebhookDelivery): void => {
      const done = deliver(delivery, client, signal)
        .then((dueAt) => {
          if (dueAt !== undefined) dueTimes.add(dueAt)
        })
        .catch((error: unknown) => log.warn({ err: error }, 'A webhook could not be settled'))
        .finally(() => {
          underWay.delete(done)
          alarm.ring()
        })
      underWay.add(done)
    }

    while (!signal.aborted) {
      const lookedAt = now()
      try {
        const most = mostAtOnce - underWay.size
        const due =
          most === 0
            ? []
            : await store.claimWebhooks({ apiKey: client.name, now: lookedAt, leaseMs, most })
        if (!signal.aborted) due.forEach(start)
      } catch (error) {
        log.warn({ err: error }, 'Webhooks could not be read; trying again')
        dueTimes.add(now() + firstPauseMs)
      }
      // Timers fire up to a millisecond early: what is not due yet stays to be waited for.
      let nextAt = now() + sweepMs
      for (const dueAt of dueTimes)
        if (dueAt <= lookedAt) dueTimes.delete(dueAt)
        else nextAt = Math.min(nextAt, dueAt)
      await alarm.wait(Math.max(0, nextAt - now()))
    }
    signal.removeEventListener('abort', alarm.ring)
    stopListening()
    await Promise.all(underWay)
  }

  return {
    /** Calls until `signal` fires. One process at a time is enough; two make no call twice. */
    run: async (signal: AbortSignal): Promise<void> => {
      const ended = signal.aborted ? undefined : once(signal, 'abort')
      await Promise.all([ended, ...clients.map((client) => serve(client, signal))])
    },
  }
}

const pauseAfter = (failures: number): number =>
  Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs)

/** `fetch` says why it failed in the cause alone. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Unknown'
  const { cause } = error
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return error.name === 'TypeError' ? 'No connection' : error.message
}
