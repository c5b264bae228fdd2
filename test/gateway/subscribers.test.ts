import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { advance } from '#src/requests/machine.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { subscribeByEvents, subscribeBySocket } from '#test/support/clients/rawSubscriber.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { serveRequests } from '#test/support/gateways/liveGateway.ts'
import { depositOf, lifecycleEvents } from '#test/support/models/lifecycleEvents.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import type { Subscribers, Transcripts } from '#test/support/processes/subscribersClient.ts'
import { times } from '#test/support/runs.ts'
import { createPgliteHome, type StoreHome } from '#test/support/store/storeHome.ts'
import { idOf } from '#test/support/store/storeModel.ts'

/** Each test run has 1,000 subscribers, `npm run test:long` 5,200. */
const perTransport = times(2_500, 400)
const statusSubscribers = 200
/** Requests with many subscribers each. Every other request has at most one subscriber per transport. */
const sharedCount = 10
const unsharedCount = perTransport / 2
/** Requests that change in one batch. */
const batchSize = 50
/** Maximum bytes buffered in this process for one connection: one or two events of the longest kind. */
const maxUnread = 2_000_000
const patience = { timeout: waitLimitMs, interval: 20 }

const bus = createLocalBus()
let home: StoreHome
let store: RequestStore
let gateway: Awaited<ReturnType<typeof serveRequests>>
let crowd: ChildProcess
let port: number
const connections = new Set<Socket>()
/** Receives process warnings, such as MaxListenersExceededWarning. */
const warned = vi.fn()
process.on('warning', warned)
beforeAll(async () => {
  home = await createPgliteHome()
  store = await home.open({ bus })
  gateway = await serveRequests({ store, bus })
  gateway.server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  port = (gateway.server.address() as AddressInfo).port
  crowd = fork(new URL('../support/processes/subscribersClient.ts', import.meta.url))
})
afterAll(async () => {
  process.off('warning', warned)
  crowd.kill()
  await gateway.close()
  await store.close()
  await home.remove()
})

async function putRequests(ids: readonly `0x${string}`[]): Promise<readonly StoredRequest[]> {
  await Promise.all(ids.map((id) => store.put(quotedRequest(id))))
  return store.findAll(ids)
}

/** Applies `event` to all requests and saves them in one batch. */
async function saveAfter(
  requests: readonly StoredRequest[],
  event: RequestEvent,
): Promise<readonly StoredRequest[]> {
  const changed = requests.map((each) => ({ ...each, state: advance(each, event, 1) }))
  expect(await store.save({ requests: changed })).toBe('saved')
  return changed.map((each) => ({ ...each, version: each.version + 1 }))
}

/** Collects the `seq` of each event from the text of a stream, which arrives in pieces. */
function createSeqReader() {
  const seqs: number[] = []
  let rest = ''
  return {
    seqs,
    isComplete: () => rest.includes('complete'),
    read: (text: string) => {
      rest += text
      let end = 0
      for (const match of rest.matchAll(/"seq":(\d+)\D/g)) {
        seqs.push(Number(match[1]))
        end = match.index + match[0].length
      }
      rest = rest.slice(end)
    },
  }
}

/**
 * Changes one request until the gateway disconnects its two stalled subscribers, while two others keep reading
 * every event.
 */
async function stallTwoSubscribers(id: `0x${string}`): Promise<void> {
  const long = Array.from({ length: 40 }, (_, at) => `a${at}: inTxHashes`).join(' ')
  const asked = (fields: string) => ({
    port,
    query: `subscription Watch($id: RequestId!) { requestStatus(requestId: $id) { seq ${fields} } }`,
    variables: { id },
  })
  const readers = [createSeqReader(), createSeqReader()] as const
  const receivedSeqs = () => readers.map(({ seqs }) => seqs)

  const stalledEvents = subscribeByEvents(asked(long), () => stalledEvents.pause())
  const stalledSocket = subscribeBySocket(asked(long), () => stalledSocket.pause())
  const events = subscribeByEvents(asked(''), readers[0].read)
  const socket = subscribeBySocket(asked(''), readers[1].read)
  await vi.waitFor(() => {
    expect(receivedSeqs()).toEqual([[0], [0]])
    expect([stalledEvents.isPaused(), stalledSocket.isPaused]).toEqual([true, true])
  }, patience)

  let requests = await store.findAll([id])
  let changes = 0
  const change = async (event: RequestEvent) => {
    requests = await saveAfter(requests, event)
    changes += 1
    const seqs = Array.from({ length: changes + 1 }, (_, seq) => seq)
    await vi.waitFor(() => expect(receivedSeqs()).toEqual([seqs, seqs]), {
      ...patience,
      interval: 1,
    })
  }
  while (gateway.hub.subscribers() > 2) {
    // A request shows a limited number of deposits: a reorg then takes the last one away, and brings it back.
    const isUndone = changes > 90 && changes % 2 === 1
    const type = isUndone ? 'depositUndone' : 'depositSeen'
    await change({ type, ...depositOf(Math.min(changes, 90)) })
    expect(changes).toBeLessThan(500)
  }
  expect(warned).not.toHaveBeenCalled()
  for (const { writableLength } of connections) expect(writableLength).toBeLessThan(maxUnread)
  for (const event of lifecycleEvents.slice(1)) await change(event)
  await vi.waitFor(
    () => expect(readers.every(({ isComplete }) => isComplete())).toBe(true),
    patience,
  )
  events.destroy()
  socket.terminate()
}

it('thousands of subscribers get each change once and in order; a stalled subscriber delays nobody', async () => {
  const [flooded = idOf(0), ...ids] = (
    await putRequests(
      Array.from({ length: 1 + sharedCount + unsharedCount }, (_, number) => idOf(number)),
    )
  ).map(({ requestId }) => requestId)
  await stallTwoSubscribers(flooded)

  const watched = (count: number) =>
    Array.from({ length: count }, (_, number) => {
      const own = sharedCount + Math.floor(number / 2)
      return (number % 2 === 0 ? ids[own] : ids[number % sharedCount]) ?? flooded
    })
  const joined = once(crowd, 'message')
  crowd.send({
    port,
    sse: watched(perTransport),
    socket: watched(perTransport),
    status: watched(statusSubscribers),
  } satisfies Subscribers)
  expect(await joined).toEqual(['joined', undefined])
  expect(gateway.hub.subscribers()).toBe(2 * perTransport + statusSubscribers)

  const hearing = once(crowd, 'message')
  for (let first = 0; first < ids.length; first += batchSize) {
    let requests = await store.findAll(ids.slice(first, first + batchSize))
    for (const event of lifecycleEvents) requests = await saveAfter(requests, event)
  }
  const [heard] = (await hearing) as [Transcripts]
  const all = '0:waiting:0+0 1:waiting:1+0 2:pending:1+0 3:submitted:1+0 4:submitted:1+1'
  expect(heard).toEqual({
    [`sse ${all} 5:success:1+1 complete`]: perTransport,
    [`socket ${all} 5:success:1+1 complete`]: perTransport,
    '/ws subscribed waiting:1+0 pending:1+0 submitted:1+0 submitted:1+1 success:1+1 over':
      statusSubscribers,
  } satisfies Transcripts)
  await vi.waitFor(() => {
    expect(gateway.hub.subscribers()).toBe(0)
    // This includes the stalled subscribers.
    expect(connections.size).toBe(0)
  }, patience)
})
