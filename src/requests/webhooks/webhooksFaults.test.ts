import { expect, it, onTestFinished, vi } from 'vitest'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { bodyOf } from '#test/support/clients/webhookClient.ts'
import { stateAt } from '#test/support/fixtures/requestAnswer.ts'
import { useWebhooks } from '#test/support/gateways/useWebhooks.ts'
import { patience } from '#test/support/patience.ts'

const webhooks = useWebhooks()
const { create, due, now, pass, put, record, run, serve, wake } = webhooks

/** Disables timers of at least this duration, and call timeouts. */
function withholdTimers(minMs: number) {
  const { setTimeout: set } = globalThis
  const neverMs = 2 ** 31 - 1
  vi.stubGlobal('setTimeout', (run: () => void, ms: number, ...args: unknown[]) =>
    set(run, ms >= minMs ? neverMs : ms, ...args),
  )
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
}

it('retries after one second, then two, and so on, at most ten times', async () => {
  const client = await serve(500)
  const recorded = record()
  run([client], recorded.store)
  await put(client.name, [stateAt(2), stateAt(3)])
  for (let retry = 0; retry < 10; retry += 1) {
    await recorded.settled(retry + 1)
    const pause = Math.min(1_000 * 2 ** retry, 300_000)
    expect(recorded.outcomes.at(-1)).toBe(pause)
    pass(pause - 1)
    expect(await due(client)).toEqual([])
    pass(1)
    wake()
  }
  // The call is given up, and the next change is sent.
  await recorded.settled(12)
  expect(recorded.outcomes.slice(10)).toEqual(['done', 1_000])
  const received = client.calls.map((call) => bodyOf(call).data['status'])
  expect(received).toEqual([...Array(11).fill('pending'), 'submitted'])
  const [first, second] = client.calls
  expect(first?.headers['x-signature-timestamp']).not.toBe(second?.headers['x-signature-timestamp'])
  pass(1_000)
  client.status = 200
  wake()
  await recorded.settled(13)
})

it('retries when due, though a timer fires early', async () => {
  withholdTimers(10_000)
  const client = await serve(503)
  const recorded = record()
  const start = Date.now()
  // Timers fire up to a millisecond early. With a slow clock, all of them do.
  run([client], recorded.store, () => start + Math.floor((Date.now() - start) * 0.75))
  await put(client.name, [stateAt(2)])
  await vi.waitUntil(() => recorded.outcomes.length > 0, patience)
  client.status = 200
  await vi.waitFor(() => expect(recorded.outcomes.at(-1)).toBe('done'), patience)
})

it.each([200, 500])(
  'makes the next call at once when one of sixteen is answered with %s',
  async (status) => {
    withholdTimers(1_000)
    const client = await serve()
    run([client])
    for (let at = 0; at < 17; at += 1) await put(client.name, [stateAt(2)])
    await client.arrived(16)
    client.answer(0, status)
    await client.arrived(17)
  },
)

it.each([302, 307, 404])('treats %s as a failure and follows no redirect', async (status) => {
  const client = await serve(status)
  const recorded = record()
  run([client], recorded.store)
  await put(client.name, [stateAt(2)])
  await recorded.settled(1)
  expect([recorded.outcomes, client.calls.length]).toEqual([[1_000], 1])
  client.status = 200
  pass(1_000)
  wake()
  await recorded.settled(2)
})

it('repeats a call that was answered right before a crash', async () => {
  const client = await serve(200)
  const crashed = { ...webhooks.store(), recordWebhookOutcome: () => new Promise<never>(() => {}) }
  const ending = new AbortController()
  void create([client], crashed, now).run(ending.signal)
  await put(client.name, [stateAt(2)])
  await client.arrived(1)
  ending.abort()
  const recorded = record()
  run([client], recorded.store)
  pass(29_999)
  expect(await due(client)).toEqual([])
  pass(1)
  wake()
  await client.arrived(2)
  await recorded.settled(1)
  expect(client.calls.map((call) => bodyOf(call).data)).toEqual(
    Array(2).fill(expect.objectContaining({ status: 'pending' })),
  )
})

it('retries after a database failure', async () => {
  const client = await serve(200)
  let failures = 0
  const failing: RequestStore = {
    ...webhooks.store(),
    claimWebhooks: (args) => {
      failures += 1
      return failures <= 2
        ? Promise.reject(new Error('Down'))
        : webhooks.store().claimWebhooks(args)
    },
  }
  run([client], failing)
  await put(client.name, [stateAt(2)])
  await client.arrived(1)
})
