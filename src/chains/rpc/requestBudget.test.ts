import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RequestBudget } from './requestBudget.ts'
import { RateLimitedError } from './rpcError.ts'
import type { Priority } from './rpcRequest.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const never = new AbortController().signal
const unlimited = { requestsPerSecond: Number.POSITIVE_INFINITY, maxInFlight: 64, closing: never }
const latencyMs = 20

/** An endpoint that refuses requests beyond `perSecond` in any second. */
function startEndpoint(perSecond: number, retryAfterMs?: number) {
  const taken: number[] = []
  let refused = 0
  const answer = () =>
    new Promise<void>((resolve, reject) => {
      const now = performance.now()
      const isAllowed = taken.filter((time) => time > now - 1_000).length < perSecond
      if (isAllowed) taken.push(now)
      else refused += 1
      setTimeout(() => {
        if (isAllowed) resolve()
        else reject(new RateLimitedError('too many requests', retryAfterMs))
      }, latencyMs)
    })
  return { answer, refused: () => refused, taken }
}

/** Sends a request until it is answered. */
async function insist(
  budget: RequestBudget,
  work: () => Promise<void>,
  priority: Priority = 'normal',
): Promise<number> {
  for (let refusals = 0; ; refusals += 1) {
    try {
      await budget.run(priority, work)
      return refusals
    } catch (error) {
      if (!(error instanceof RateLimitedError)) throw error
    }
  }
}

const manage = async <Result>(work: Promise<Result>): Promise<Result> => {
  const outcome = Promise.allSettled([work])
  await vi.runAllTimersAsync()
  const [settled] = await outcome
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

it('sends no more requests a second than configured, and none is refused', async () => {
  const endpoint = startEndpoint(25)
  const budget = new RequestBudget({ ...unlimited, requestsPerSecond: 25 })
  await manage(Promise.all(Array.from({ length: 300 }, () => insist(budget, endpoint.answer))))
  expect(endpoint.refused()).toBe(0)
  expect(endpoint.taken.at(-1)).toBeLessThan(16_000)
})

it.each([
  [25, undefined],
  [25, 3_000],
  [5, undefined],
  [300, 1_000],
])(
  'learns a limit of %d a second from its refusals, and gets every answer',
  async (limit, retryAfterMs) => {
    const endpoint = startEndpoint(limit, retryAfterMs)
    const budget = new RequestBudget(unlimited)
    const all = Array.from({ length: 300 }, () => insist(budget, endpoint.answer))
    const refusals = await manage(Promise.all(all))
    expect(Math.max(...refusals)).toBeLessThanOrEqual(4)
    expect(endpoint.refused()).toBeLessThan(150)
    expect(endpoint.taken.at(-1)).toBeLessThan(2 * (300 / limit) * 1_000 + 10_000)
  },
)

it('sends nothing before the time that the endpoint named', async () => {
  const endpoint = startEndpoint(1, 7_000)
  const budget = new RequestBudget(unlimited)
  const sent: number[] = []
  const work = () => {
    sent.push(performance.now())
    return endpoint.answer()
  }
  await manage(Promise.all([insist(budget, work), insist(budget, work)]))
  const [first = 0, second, third = 0] = sent
  expect(second).toBe(first)
  expect(third - first).toBeGreaterThanOrEqual(7_000 + latencyMs)
})

it('raises a learnt rate while others wait, and never above the configured one', async () => {
  const endpoint = startEndpoint(10)
  const budget = new RequestBudget({ ...unlimited, requestsPerSecond: 40 })
  await manage(Promise.all(Array.from({ length: 100 }, () => insist(budget, endpoint.answer))))
  const learnt = budget.state().requestsPerSecond
  expect(learnt).toBeLessThanOrEqual(20)
  const kind = () => new Promise<void>((resolve) => setTimeout(resolve, latencyMs))
  await manage(Promise.all(Array.from({ length: 3_000 }, () => insist(budget, kind))))
  expect(budget.state().requestsPerSecond).toBe(40)
})

it('lets the head go first, and keeps places free for it', async () => {
  const budget = new RequestBudget({ ...unlimited, maxInFlight: 8 })
  const started: string[] = []
  const ends: (() => void)[] = []
  const ask = (priority: Priority, name: string) =>
    budget.run(priority, () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const all = Array.from({ length: 8 }, (_, at) => ask('background', `background ${at}`))
  all.push(ask('normal', 'normal'), ask('head', 'head'), ask('head', 'head late'))
  await vi.runAllTimersAsync()
  expect(started.slice(6)).toEqual(['normal', 'head'])
  expect(budget.state()).toMatchObject({ inFlight: 8, waiting: 3 })
  ends.shift()?.()
  await vi.runAllTimersAsync()
  expect(started.at(-1)).toBe('head late')
  while (ends.length > 0) {
    ends.shift()?.()
    await vi.runAllTimersAsync()
  }
  await Promise.all(all)
  expect(budget.state()).toMatchObject({ inFlight: 0, waiting: 0 })
})

it('ends a waiting request when its caller gives up, and all of them when the client closes', async () => {
  const closer = new AbortController()
  const budget = new RequestBudget({ ...unlimited, maxInFlight: 1, closing: closer.signal })
  const first = Promise.withResolvers<void>()
  const running = budget.run('head', () => first.promise)
  const stop = new AbortController()
  const given = budget.run('head', async () => 'sent', stop.signal).catch(String)
  const waiting = budget.run('head', async () => 'sent').catch(String)
  stop.abort(new Error('given up'))
  expect(await given).toBe('Error: given up')
  expect(budget.state().waiting).toBe(1)
  closer.abort(new Error('closed'))
  expect(await waiting).toBe('Error: closed')
  await expect(budget.run('head', async () => 'sent')).rejects.toThrow('closed')
  first.resolve()
  await running
})
