import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { RequestState } from '#src/requests/requestState.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { patience } from '#test/patience.ts'
import { quotedRequest } from '#test/quotedRequest.ts'
import { stateAt } from '#test/requestAnswer.ts'
import {
  createPgliteHome,
  createPostgresHome,
  type StoreHome,
  serverUrl,
  silentLog,
} from '#test/storeHome.ts'
import { said, serveClient } from '#test/webhookClient.ts'
import { createWebhooks } from './createWebhooks.ts'

const key = 'a key of sixteen or more'
const names = ['shop', 'slow']
const webhookKeys: ReadonlySet<string> = new Set(names)
const bus = createLocalBus()
let clock = 1_790_000_100_000
const now = () => clock

let home: StoreHome
let store: RequestStore
beforeAll(async () => {
  home = serverUrl === undefined ? createPgliteHome() : await createPostgresHome()
  store = await home.open({ bus, webhookKeys })
})
afterAll(async () => {
  await store.close()
  await home.remove()
})

let last = 0
/** A new request of a client’s, with changes up to a state of a request that is filled. */
async function put(apiKey: string | undefined, seqs: readonly number[]) {
  last += 1
  const requestId = `0x${last.toString(16).padStart(64, '0')}` as const
  await store.put({ ...quotedRequest(requestId), ...(apiKey && { apiKey }) })
  for (const seq of seqs) await change(requestId, stateAt(seq))
  return requestId
}

async function change(requestId: `0x${string}`, state: RequestState) {
  const request = await store.find(requestId)
  if (request === undefined) throw new Error('It was put')
  const next = { ...request, state: { ...state, seq: request.state.seq + 1 } }
  expect(await store.save({ requests: [next] })).toBe('saved')
}

/** The webhooks at work until the test is over. */
function run(urls: Readonly<Record<string, string>>, into = store, time = now) {
  const ending = new AbortController()
  const apiKeys = Object.entries(urls).map(([name, webhookUrl]) => ({ name, key, webhookUrl }))
  const webhooks = createWebhooks({ log: silentLog, store: into, bus, now: time }, { apiKeys })
  const done = webhooks.run(ending.signal)
  const stop = async () => {
    ending.abort()
    await done
  }
  onTestFinished(stop)
  return stop
}

const wake = () => bus.publish([{ kind: 'missed' }])

/** The store, and what became of calls so far: `done`, or in how many milliseconds they are due again. */
function record(into = store) {
  const outcomes: ('done' | number)[] = []
  const settleWebhook: RequestStore['settleWebhook'] = async (delivery, outcome) => {
    await into.settleWebhook(delivery, outcome)
    outcomes.push(outcome === 'done' ? outcome : outcome.dueAt - clock)
  }
  const settled = (count: number) => vi.waitFor(() => expect(outcomes.length).toBe(count), patience)
  return { store: { ...into, settleWebhook }, outcomes, settled }
}

/** Calls that somebody could make at the present time. */
const due = (apiKey: string) => store.claimWebhooks({ apiKey, now: clock, leaseMs: 0, most: 1_000 })

it('tells a client what became of its requests, signed by its key', async () => {
  const client = await serveClient(204)
  run({ shop: client.webhookUrl })
  await put(undefined, [2])
  const requestId = await put('shop', [2])
  await client.arrived(1)
  const [call] = client.calls
  if (call === undefined) throw new Error('It arrived')
  const { body, headers } = call
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-signature-timestamp': `${clock}`,
    'x-signature-sha256': createHmac('sha256', key).update(`${clock}.${body}`).digest('hex'),
  })
  expect(body).toBe(
    JSON.stringify({
      event: 'request.status.updated',
      timestamp: clock,
      data: {
        status: 'pending',
        inTxHashes: stateAt(2).inTxHashes,
        txHashes: [],
        updatedAt: stateAt(2).updatedAt,
        originChainId: 990001,
        destinationChainId: 990002,
        requestId,
        referrer: 'a frontend',
        details: null,
        failReason: 'N/A',
        refundFailReason: 'N/A',
      },
    }),
  )
})

it('tells each change in turn, and nothing of how far a step has come', async () => {
  const client = await serveClient()
  const recorded = record()
  run({ shop: client.webhookUrl }, recorded.store)
  await put('shop', [0, 1, 1, 2, 3, 3, 4])
  for (const at of [0, 1, 2, 3]) {
    await client.arrived(at + 1)
    wake()
    client.answer(at, 200)
  }
  await recorded.settled(7)
  expect(client.calls.map((call) => said(call).data['status'])).toEqual([
    'waiting',
    'pending',
    'submitted',
    'success',
  ])
})

it('calls again after a second, then two, and so on; ten times at the most', async () => {
  const client = await serveClient(500)
  const recorded = record()
  run({ shop: client.webhookUrl }, recorded.store)
  await put('shop', [2, 3])
  for (let retry = 0; retry < 10; retry += 1) {
    await recorded.settled(retry + 1)
    const pause = 1_000 * 2 ** retry
    expect(recorded.outcomes.at(-1)).toBe(Math.min(pause, 300_000))
    clock += Math.min(pause, 300_000) - 1
    expect(await due('shop')).toEqual([])
    clock += 1
    wake()
  }
  // Given up, and the next change is told.
  await recorded.settled(12)
  expect(recorded.outcomes.slice(10)).toEqual(['done', 1_000])
  const told = client.calls.map((call) => said(call).data['status'])
  expect(told).toEqual([...Array(11).fill('pending'), 'submitted'])
  const [first, second] = client.calls
  expect(first?.headers['x-signature-timestamp']).not.toBe(second?.headers['x-signature-timestamp'])
  clock += 1_000
  client.status = 200
  wake()
  await recorded.settled(13)
})

it('calls again by itself', async () => {
  const client = await serveClient(503)
  const recorded = record()
  clock = Date.now()
  run({ shop: client.webhookUrl }, recorded.store, Date.now)
  await put('shop', [2])
  await recorded.settled(1)
  client.status = 200
  await vi.waitFor(() => expect(recorded.outcomes.at(-1)).toBe('done'), patience)
  clock = Date.now()
})

it.each([302, 307, 404])('takes %s for a failure, and follows nothing', async (status) => {
  const client = await serveClient(status)
  const recorded = record()
  run({ shop: client.webhookUrl }, recorded.store)
  await put('shop', [2])
  await recorded.settled(1)
  expect([recorded.outcomes, client.calls.length]).toEqual([[1_000], 1])
  client.status = 200
  clock += 1_000
  wake()
  await recorded.settled(2)
})

it('holds up nobody for a client that does not answer', async () => {
  const [slow, shop] = [await serveClient(), await serveClient(200)]
  for (let at = 0; at < 40; at += 1) await put('slow', [2])
  const recorded = record()
  run({ slow: slow.webhookUrl, shop: shop.webhookUrl }, recorded.store)
  await slow.arrived(16)
  for (let at = 0; at < 40; at += 1) await put('shop', [2])
  await shop.arrived(40)
  await recorded.settled(40)
  expect(slow.calls.length).toBe(16)
  slow.status = 200
  for (let at = 0; at < 16; at += 1) slow.answer(at, 200)
  await slow.arrived(40)
  await recorded.settled(80)
})

it('makes each call once, however many processes are at it', async () => {
  const client = await serveClient(200)
  const one = record()
  const other = record(serverUrl === undefined ? store : await openAnother())
  for (const { store: into } of [one, other, one]) run({ shop: client.webhookUrl }, into)
  const ids = await Promise.all(Array.from({ length: 50 }, () => put('shop', [2, 3])))
  wake()
  await vi.waitFor(() => expect(one.outcomes.length + other.outcomes.length).toBe(100), patience)
  const told = client.calls.map((call) => `${said(call).data['requestId']}`)
  expect(told.sort()).toEqual([...ids, ...ids].sort())
})

async function openAnother() {
  const another = await home.open({ bus, webhookKeys })
  onTestFinished(() => another.close())
  return another
}

it('makes a call again that was answered right before a crash', async () => {
  const client = await serveClient(200)
  const crashed = { ...store, settleWebhook: () => new Promise<never>(() => {}) }
  const ending = new AbortController()
  const apiKeys = [{ name: 'shop', key, webhookUrl: client.webhookUrl }]
  void createWebhooks({ log: silentLog, store: crashed, bus, now }, { apiKeys }).run(ending.signal)
  await put('shop', [2])
  await client.arrived(1)
  ending.abort()
  const recorded = record()
  run({ shop: client.webhookUrl }, recorded.store)
  clock += 29_999
  expect(await due('shop')).toEqual([])
  clock += 1
  wake()
  await client.arrived(2)
  await recorded.settled(1)
  expect(client.calls.map((call) => said(call).data)).toEqual(
    Array(2).fill(expect.objectContaining({ status: 'pending' })),
  )
})

it('ends at once when it is told to, and leaves what it was at to the next', async () => {
  const client = await serveClient()
  const recorded = record()
  const stop = run({ shop: client.webhookUrl }, recorded.store)
  await put('shop', [2])
  await client.arrived(1)
  await stop()
  expect(recorded.outcomes).toEqual([])
  clock += 30_000
  client.status = 200
  run({ shop: client.webhookUrl }, recorded.store)
  await recorded.settled(1)
})

it('tries again when the database has failed', async () => {
  const client = await serveClient(200)
  let failures = 0
  const failing: typeof store = {
    ...store,
    claimWebhooks: (args) => {
      failures += 1
      return failures <= 2 ? Promise.reject(new Error('Down')) : store.claimWebhooks(args)
    },
  }
  run({ shop: client.webhookUrl }, failing)
  await put('shop', [2])
  await vi.waitFor(() => expect(failures).toBe(2), patience)
  wake()
  await client.arrived(1)
})

it('waits for its end with nobody to call', async () => {
  const ending = new AbortController()
  let ended = false
  const done = createWebhooks(
    { log: silentLog, store, bus, now },
    { apiKeys: [{ name: 'shop', key }] },
  )
    .run(ending.signal)
    .then(() => {
      ended = true
    })
  await new Promise(setImmediate)
  expect(ended).toBe(false)
  ending.abort()
  await done
})
