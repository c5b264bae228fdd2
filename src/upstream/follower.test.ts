import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLog } from '#src/config/log.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { createHub } from '#src/requests/events/hub.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { isTerminal, requestStatuses } from '#src/requests/state/requestState.ts'
import { hash } from '#test/support/arbitraries/valueArbitrary.ts'
import {
  storedUpstreamRequest,
  upstreamId,
  upstreamRequest,
} from '#test/support/fixtures/upstreamRequest.ts'
import { patience } from '#test/support/patience.ts'
import { openEmptyStore } from '#test/support/store/emptyStore.ts'
import { idOf } from '#test/support/store/storeModel.ts'
import { createFollower, parseStatus, stateAfter } from './follower.ts'
import { UpstreamUnavailableError } from './upstreamClient.ts'

describe('follower', () => {
  const log = createLog('silent')
  const bus = createLocalBus()
  let store: RequestStore
  beforeAll(async () => {
    store = await openEmptyStore({ log, bus })
  })
  afterAll(() => store.close())

  const service = 'https://other.example'
  /** Time at which the requests of the fixture were quoted, in Unix milliseconds. */
  const quotedAt = 1_790_000_000_000
  const hashes = { inTxHashes: [idOf(8)], txHashes: [idOf(9)] }

  /** Follows until the returned function is called. The clock is ahead of all requests. */
  function follow(answer: (path: string) => unknown, options: { service?: string } = {}) {
    const ending = new AbortController()
    const asked: string[] = []
    const client = {
      service,
      ...options,
      ask: async ({ path }: { path: string }) => {
        asked.push(path)
        return answer(path)
      },
    }
    // A step is longer than the longest pause between two status checks.
    let now = quotedAt
    const follower = createFollower({
      log,
      store,
      client,
      now: () => {
        now += 700_000
        return now
      },
    })
    const running = follower.run(ending.signal)
    return {
      asked,
      stop: async () => {
        ending.abort()
        await running
      },
    }
  }

  it('a subscriber sees each status that the other service reports, until the last one', async () => {
    const id = idOf(101)
    await store.put(upstreamRequest(id))
    const hub = createHub({ log, store, bus })
    const changes = hub.watch(id)
    expect((await changes.next()).value?.state.status).toBe('waiting')
    const answers = [
      { status: 'waiting' },
      new UpstreamUnavailableError('down'),
      'no status',
      { status: 'pending', inTxHashes: hashes.inTxHashes },
      { status: 'success', ...hashes },
    ]
    let at = 0
    const { stop, asked } = follow(() => {
      const answer = answers[Math.min(at, answers.length - 1)]
      at += 1
      if (answer instanceof Error) throw answer
      return answer
    })
    const seen: unknown[] = []
    for await (const { state } of changes) seen.push([state.seq, state.status])
    expect(seen).toEqual([
      [1, 'pending'],
      [2, 'success'],
    ])
    hub.close()
    await stop()
    expect(asked).toHaveLength(answers.length)
    expect(new Set(asked)).toEqual(new Set([`/intents/status/v3?requestId=${upstreamId}`]))
    expect(await store.claimUpstream({ now: 8e15, until: 9e15, limit: 10 })).toEqual([])
  })

  it('a claim that a stopped process left is taken over; one that a client hastened stays due', async () => {
    const [left, hastened] = [idOf(102), idOf(103)]
    await store.put(upstreamRequest(left))
    await store.put(upstreamRequest(hastened))
    const now = quotedAt
    const claimed = await store.claimUpstream({ now, until: now + 1_000, limit: 10 })
    expect(claimed.map(({ requestId }) => requestId).sort()).toEqual([left, hastened])
    expect(await store.claimUpstream({ now, until: now + 1_000, limit: 10 })).toEqual([])
    await store.hastenUpstream(hastened, now)
    await store.scheduleUpstream(hastened, { until: now + 1_000, dueAt: now + 9_000 })
    const again = await store.claimUpstream({ now, until: now + 1_000, limit: 10 })
    expect(again.map(({ requestId }) => requestId)).toEqual([hastened])
    const late = await store.claimUpstream({ now: now + 1_000, until: now + 2_000, limit: 10 })
    expect(late).toHaveLength(2)
    for (const id of [left, hastened])
      await store.scheduleUpstream(id, { until: now + 2_000, dueAt: undefined })
  })

  it('asks only the service that has quoted', async () => {
    await store.put(upstreamRequest(idOf(104)))
    const { stop, asked } = follow(() => ({ status: 'success', ...hashes }), {
      service: 'https://another.example',
    })
    const other = follow(() => ({ status: 'success', ...hashes }))
    await vi.waitUntil(
      async () => (await store.find(idOf(104)))?.state.status === 'success',
      patience,
    )
    await stop()
    await other.stop()
    expect(asked).toEqual([])
  })
})

const answer = fc.record({
  status: fc.constantFrom(...requestStatuses),
  failReason: fc.constantFrom('N/A', 'SLIPPAGE', 'A_NEW_REASON'),
  inTxHashes: fc.array(hash, { maxLength: 2 }),
  txHashes: fc.array(hash, { maxLength: 2 }),
})

it('for any answers, each change has the next seq, a final status stays, and `success` has a hash', () => {
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 12 }), (answers) => {
      let request = storedUpstreamRequest(idOf(1))
      for (const json of answers) {
        const before = request.state
        const state = stateAfter(request, parseStatus(json), 5)
        if (isTerminal(before.status)) expect(state).toBe(before)
        if (state !== before) expect(state.seq).toBe(before.seq + 1)
        if (state.status === 'success') expect(state.txHashes.length).toBeGreaterThan(0)
        expect(stateAfter({ ...request, state }, parseStatus(json), 9)).toBe(
          isTerminal(state.status) || state !== before ? state : before,
        )
        request = { ...request, state }
      }
    }),
  )
})

const deposit = idOf(2)
const payment = idOf(3)
const after = (json: object) => stateAfter(storedUpstreamRequest(idOf(1)), parseStatus(json), 5)

it('shows the deposit as the main step, and the payment as the fill or the refund', () => {
  const paid = { inTxHashes: [deposit], txHashes: [payment] }
  expect(after({ status: 'pending', inTxHashes: [deposit] })).toMatchInlineSnapshot(`
    {
      "fill": {
        "status": "waiting",
      },
      "inTxHashes": [
        "0x0000000000000000000000000000000000000000000000000000000000000002",
      ],
      "inputStates": [],
      "seq": 1,
      "status": "pending",
      "steps": [
        [
          {
            "status": "implied",
          },
        ],
        [
          {
            "status": "confirmed",
            "transaction": {
              "chainId": 990001,
              "hash": "0x0000000000000000000000000000000000000000000000000000000000000002",
            },
          },
        ],
      ],
      "txHashes": [],
      "updatedAt": 5,
    }
  `)
  expect(after({ status: 'success', ...paid }).fill).toMatchObject({
    transaction: { chainId: 7, hash: payment },
  })
  const refund = after({ status: 'refund', failReason: 'SLIPPAGE', ...paid })
  expect(refund).toMatchObject({
    failReason: 'SLIPPAGE',
    fill: { status: 'skipped' },
    refunds: [{ transaction: { chainId: 990_001, hash: payment } }],
  })
  expect(after({ status: 'failure', failReason: 'NEW' }).failReason).toBe('UNKNOWN')
})

it.each([
  ['status', { status: 'paid' }],
  ['inTxHashes.0', { status: 'pending', inTxHashes: ['0x12'] }],
  ['txHashes', { status: 'pending', txHashes: Array(65).fill(deposit) }],
  ['shape', 'no object'],
])('refuses a wrong %s', (place, json) => {
  expect(() => parseStatus(json)).toThrow(place)
})
