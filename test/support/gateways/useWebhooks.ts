import { afterAll, beforeAll, beforeEach, expect, onTestFinished, vi } from 'vitest'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { RequestState } from '#src/requests/state/requestState.ts'
import { createWebhooks } from '#src/requests/webhooks/webhooks.ts'
import { serveClient } from '#test/support/clients/webhookClient.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { patience } from '#test/support/patience.ts'
import {
  createPgliteHome,
  createPostgresHome,
  type StoreHome,
  serverUrl,
  silentLog,
} from '#test/support/store/storeHome.ts'

export const key = 'a key of sixteen or more'

/** The name of the client’s API key, and its webhook URL. */
type Client = Readonly<{ name: string; webhookUrl?: string }>

/** A store for the tests of a file, and webhooks with a clock that advances only by `pass`. */
export function useWebhooks() {
  const webhookKeys = new Set<string>()
  const bus = createLocalBus()
  let home: StoreHome
  let store: RequestStore
  let clock: number
  let last = 0
  beforeAll(async () => {
    home = await (serverUrl === undefined ? createPgliteHome() : createPostgresHome())
    store = await home.open({ bus, webhookKeys })
  })
  afterAll(async () => {
    await store.close()
    await home.remove()
  })
  beforeEach(() => {
    clock = 1_790_000_100_000
  })

  async function change(requestId: `0x${string}`, state: RequestState) {
    const request = await store.find(requestId)
    if (request === undefined) throw new Error('It was put')
    const next = { ...request, state: { ...state, seq: request.state.seq + 1 } }
    expect(await store.save({ requests: [next] })).toBe('saved')
  }

  const create = (clients: readonly Client[], into: RequestStore, now: () => number) =>
    createWebhooks(
      { log: silentLog, store: into, bus, now },
      { apiKeys: clients.map((client) => ({ key, ...client })) },
    )

  return {
    now: () => clock,
    pass: (ms: number) => {
      clock += ms
    },
    store: () => store,
    /** Another process’s store on the same database, if there is a Postgres server. */
    openAnother: async () => {
      if (serverUrl === undefined) return store
      const another = await home.open({ bus, webhookKeys })
      onTestFinished(another.close)
      return another
    },
    /** A client with its own name, so that calls left over from one test do not affect another. */
    serve: async (status?: number) => {
      const name = `client ${webhookKeys.size}`
      webhookKeys.add(name)
      return Object.assign(await serveClient(status), { name })
    },
    /** Stores a new request, quoted with that API key, and takes it through these states. */
    put: async (apiKey: string | undefined, states: readonly RequestState[]) => {
      last += 1
      const requestId = `0x${last.toString(16).padStart(64, '0')}` as const
      await store.put({ ...quotedRequest(requestId), ...(apiKey !== undefined && { apiKey }) })
      for (const state of states) await change(requestId, state)
      return requestId
    },
    create,
    /** Runs webhooks for these clients until the test ends or `stop` is called. */
    run: (clients: readonly Client[], into = store, now = () => clock) => {
      const ending = new AbortController()
      const done = create(clients, into, now).run(ending.signal)
      const stop = async () => {
        ending.abort()
        await done
      }
      onTestFinished(stop)
      return stop
    },
    wake: () => bus.publish([{ kind: 'missed' }]),
    /** Wraps the store and records the outcome of each call: `done`, or the milliseconds until the retry. */
    record: (into = store) => {
      const outcomes: ('done' | number)[] = []
      const recordWebhookOutcome: RequestStore['recordWebhookOutcome'] = async (
        delivery,
        outcome,
      ) => {
        await into.recordWebhookOutcome(delivery, outcome)
        outcomes.push(outcome === 'done' ? outcome : outcome.dueAt - clock)
      }
      const settled = (count: number) =>
        vi.waitFor(() => expect(outcomes.length).toBe(count), patience)
      return { store: { ...into, recordWebhookOutcome }, outcomes, settled }
    },
    /** Calls to a client that are due now. */
    due: ({ name }: Client) =>
      store.claimWebhooks({ apiKey: name, now: clock, leaseMs: 0, limit: 1_000 }),
  }
}
