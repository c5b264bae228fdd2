import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addLimitMetrics } from '#src/gateway/monitoring/limitMetrics.ts'
import { createHub } from '#src/requests/events/hub.ts'
import { createRedisBus } from '#src/requests/events/redisBus.ts'
import { createCallers } from '#src/service/callers.ts'
import { openRateLimiter } from '#src/system/gatewayLimits.ts'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { startTcpProxy } from '#test/support/clients/tcpProxy.ts'
import { serveGateway } from '#test/support/gateways/serveGateway.ts'
import { patience } from '#test/support/patience.ts'
import { createStoreModel, idOf } from '#test/support/store/storeModel.ts'

// biome-ignore lint/style/noProcessEnv: the server is that of the whole test run.
const redisUrl = process.env['TEST_REDIS_URL']
const log = pino({ level: 'silent' })
const identify = createCallers([])
const rates = { addressUnits: 10, keyUnits: 10, windowSeconds: 60 }

const undo: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

describe.skipIf(redisUrl === undefined)('with Redis behind a broken network', () => {
  let keyPrefix: string
  let proxy: Awaited<ReturnType<typeof startTcpProxy>>
  beforeEach(async () => {
    keyPrefix = `crossquote:test:${randomUUID()}`
    const { hostname, port } = new URL(redisUrl ?? '')
    proxy = await startTcpProxy({ host: hostname, port: Number(port || 6379) })
    undo.push(proxy.stop, removeKeys)
  })
  const proxyUrl = () => `redis://127.0.0.1:${proxy.port}`
  async function removeKeys(): Promise<void> {
    const redis = new Redis(redisUrl ?? '')
    const keys = await redis.keys(`${keyPrefix}*`)
    if (keys.length > 0) await redis.del(keys)
    await redis.quit()
  }

  /** A rate limiter, and the number of its charges that were counted in memory. */
  function openLimiter(prefix = keyPrefix) {
    const registry = new Registry()
    const metrics = addLimitMetrics(registry)
    const opened = openRateLimiter(
      { log, identify, metrics },
      { rates, redis: { url: proxyUrl(), keyPrefix: prefix } },
    )
    undo.push(opened.close)
    const fallbacks = async (): Promise<number> => {
      const counter = await registry.getSingleMetric('crossquote_rate_limit_fallbacks_total')?.get()
      return counter?.values[0]?.value ?? 0
    }
    const { charge } = opened.rateLimiter
    const isShared = async (): Promise<boolean> => {
      const before = await fallbacks()
      await charge(newClient(), 1)
      return (await fallbacks()) === before
    }
    return { ...opened, charge, fallbacks, isShared }
  }
  const newClient = () => ({ apiKey: undefined, network: randomUUID() })
  const limited = { code: 'RATE_LIMITED' }

  it('a limit applies to two gateways together, and to each alone while Redis is unreachable', async () => {
    const [one, other] = [openLimiter(), openLimiter()]
    await vi.waitUntil(one.isShared, patience)
    await vi.waitUntil(other.isShared, patience)
    const client = newClient()
    await one.charge(client, 6)
    await expect(other.charge(client, 6)).rejects.toMatchObject(limited)

    const before = await one.fallbacks()
    proxy.down()
    const alone = newClient()
    expect(await one.charge(alone, 6)).toMatchObject({ remaining: 4 })
    await expect(one.charge(alone, 6)).rejects.toMatchObject(limited)
    expect(await one.fallbacks()).toBe(before + 2)
  })

  it('two databases on one Redis have separate limits', async () => {
    const [one, other] = [openLimiter(`${keyPrefix}:one`), openLimiter(`${keyPrefix}:other`)]
    await vi.waitUntil(one.isShared, patience)
    await vi.waitUntil(other.isShared, patience)
    const client = newClient()
    await one.charge(client, 10)
    await expect(one.charge(client, 1)).rejects.toMatchObject(limited)
    expect(await other.charge(client, 1)).toMatchObject({ remaining: 9 })
  })

  it('a limit is counted in memory while Redis hangs, and in Redis again once it answers', async () => {
    const limiter = openLimiter()
    await vi.waitUntil(limiter.isShared, patience)
    const before = await limiter.fallbacks()
    proxy.hang()
    const client = newClient()
    const charges = Array.from({ length: 11 }, () =>
      limiter.charge(client, 1).then(
        () => 'charged',
        (error) => error.code,
      ),
    )
    expect(await Promise.all(charges)).toEqual([...Array(10).fill('charged'), 'RATE_LIMITED'])
    expect(await limiter.fallbacks()).toBe(before + 11)
    proxy.heal()
    await vi.waitUntil(limiter.isShared, patience)
  })

  it('a gateway answers and is ready although Redis already hung before its start', async () => {
    proxy.hang()
    const limiter = openLimiter()
    const gateway = await serveGateway({}, { deadlineSeconds: 600, ...limiter })
    undo.push(gateway.close)
    const query = 'query ($input: PriceInput!) { price(input: $input) { details { rate } } }'
    const answer = await gateway.post({ query, variables: { input: crossChainInput } })
    expect([answer.status, answer.headers.get('ratelimit-remaining')]).toEqual([200, '9'])
    expect((await fetch(`${gateway.url}/ready`)).status).toBe(200)
    proxy.heal()
    await vi.waitUntil(limiter.isShared, patience)
  })

  it('a subscriber gets changes of its own process at once, and others with the next sweep', async () => {
    proxy.hang()
    const bus = createRedisBus({ log }, { url: proxyUrl(), stream: `${keyPrefix}:wakeups` })
    undo.push(bus.close)
    const store = createStoreModel()
    store.put(idOf(1))
    const hub = createHub({ log, store, bus }, { sweepSeconds: 0.02, maxQueued: 64 })
    undo.push(() => hub.close())
    const changes = hub.watch(idOf(1))
    const seqOfNext = async () => (await changes.next()).value?.state.seq
    expect(await seqOfNext()).toBe(0)
    bus.publish([{ kind: 'change', change: store.change(idOf(1), 'pending') }])
    expect(await seqOfNext()).toBe(1)
    store.change(idOf(1), 'submitted')
    expect(await seqOfNext()).toBe(2)
    await changes.return?.()
  })
})
