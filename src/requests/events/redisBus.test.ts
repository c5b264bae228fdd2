import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toChainId } from '#src/core/units/chainId.ts'
import { startTcpProxy } from '#test/support/clients/tcpProxy.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import { createStoreModel, idOf } from '#test/support/store/storeModel.ts'
import type { Bus, Wakeup } from './bus.ts'
import { createRedisBus, redisName } from './redisBus.ts'

describe('redis bus', () => {
  /** URL of a Redis server for the tests, if there is one. */
  // biome-ignore lint/style/noProcessEnv: vitest passes on only variables that start with VITE_.
  const url = process.env['TEST_REDIS_URL']
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const patience = { timeout: waitLimitMs, interval: 5 }

  let stream: string
  let redis: Redis
  const closes: (() => Promise<unknown>)[] = []
  beforeEach(() => {
    if (url === undefined) return
    stream = `crossquote:test:${randomUUID()}`
    redis = new Redis(url)
  })
  afterEach(async () => {
    for (const close of closes.splice(0)) await close()
    if (url === undefined) return
    await redis.del(stream)
    await redis.quit()
  })

  const hint = (at: number): Wakeup => ({ kind: 'hint', chainId: toChainId(at) })

  /** A connected bus, and the wake-ups it received since. */
  async function openBus(at = url ?? '', log = silent): Promise<{ bus: Bus; received: Wakeup[] }> {
    const bus = createRedisBus({ log }, { url: at, stream })
    closes.push(bus.close)
    const received: Wakeup[] = []
    bus.listen((wakeup) => received.push(wakeup))
    await vi.waitFor(() => expect(received).toEqual([{ kind: 'missed' }]), patience)
    received.length = 0
    return { bus, received }
  }

  const startProxy = async () => {
    const { hostname, port } = new URL(url ?? '')
    const proxy = await startTcpProxy({ host: hostname, port: Number(port || 6379) })
    closes.push(proxy.stop)
    return { ...proxy, url: `redis://127.0.0.1:${proxy.port}` }
  }

  /** All wake-ups without `missed`. */
  const newsIn = (received: readonly Wakeup[]) => received.filter(({ kind }) => kind !== 'missed')

  describe.skipIf(url === undefined)('buses on one Redis', () => {
    it('receive each other’s wake-ups in order, and their own at once, without a duplicate', async () => {
      const one = await openBus()
      const other = await openBus()
      const model = createStoreModel()
      model.put(idOf(1))
      const change = model.change(idOf(1), 'pending')
      const seen = {
        status: 'seen',
        transaction: { chainId: 1, hash: idOf(7), block: { number: 2n ** 60n, hash: idOf(8) } },
      } as const
      const published: Wakeup[] = [
        { kind: 'change', change: { ...change, state: { ...change.state, fill: seen } } },
        hint(1),
      ]
      one.bus.publish(published)
      expect(one.received).toEqual(published)
      await vi.waitFor(() => expect(other.received).toEqual(published), patience)
      const many = Array.from({ length: 500 }, (_, at) => hint(at + 1))
      for (const each of many) other.bus.publish([each])
      await vi.waitFor(() => expect(one.received).toEqual([...published, ...many]), patience)
      expect(other.received).toEqual([...published, ...many])
    })

    it('resume at their position after a killed connection', async () => {
      const one = await openBus()
      const other = await openBus()
      const clients = (await redis.client('LIST')) as string
      const ours = clients.split('\n').filter((line) => line.includes('name=crossquote-reader-'))
      one.bus.publish([hint(1)])
      await vi.waitFor(() => expect(other.received).toEqual([hint(1)]), patience)
      for (const line of ours) {
        const id = /^id=(\d+)/.exec(line)?.[1] ?? ''
        await redis.client('KILL', 'ID', id)
      }
      for (let at = 2; at <= 20; at += 1) one.bus.publish([hint(at)])
      const all = Array.from({ length: 20 }, (_, at) => hint(at + 1))
      await vi.waitFor(() => expect(other.received).toEqual(all), patience)
    })

    it('publish `missed` if the stream was truncated or replaced', async () => {
      const proxy = await startProxy()
      const one = await openBus()
      const other = await openBus(proxy.url)
      one.bus.publish([hint(1)])
      await vi.waitFor(() => expect(other.received).toEqual([hint(1)]), patience)
      proxy.down()
      one.bus.publish([hint(2)])
      await vi.waitFor(async () => expect(await redis.xlen(stream)).toBe(2), patience)
      await redis.xtrim(stream, 'MAXLEN', 0)
      proxy.up()
      await vi.waitFor(
        () => expect(other.received).toEqual([hint(1), { kind: 'missed' }]),
        patience,
      )
      await redis.del(stream)
      one.bus.publish([hint(3)])
      await vi.waitFor(() => expect(other.received).toContainEqual(hint(3)), patience)
    })

    it('publish locally without Redis, and send `missed` to the others once it is back', async () => {
      const proxy = await startProxy()
      const warn = vi.fn()
      const one = await openBus(proxy.url, { ...silent, warn })
      const other = await openBus()
      proxy.down()
      await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1), patience)
      for (let at = 1; at <= 5_000; at += 1) one.bus.publish([hint(at)])
      expect(newsIn(one.received)).toHaveLength(5_000)
      proxy.up()
      await vi.waitFor(() => expect(other.received.at(-1)).toEqual({ kind: 'missed' }), patience)
      one.bus.publish([hint(7)])
      await vi.waitFor(() => expect(other.received.at(-1)).toEqual(hint(7)), patience)
      expect(newsIn(other.received).length).toBeLessThan(100)
      expect(warn).toHaveBeenCalledTimes(1)
    })

    it('treat an invalid message as missed', async () => {
      const { received } = await openBus()
      await redis.xadd(stream, '*', 'm', '{"kind":"of another version"}')
      await vi.waitFor(() => expect(received).toEqual([{ kind: 'missed' }]), patience)
    })
  })
})

it('separates the keys of two databases on one Redis', () => {
  const at = (path: string) => `postgres://user:secret@host:5432${path}`
  const names = [undefined, at('/one'), at('/two?sslmode=require')].flatMap((url) => [
    redisName('wakeups', url),
    redisName('rate', url),
  ])
  expect(names).toEqual([
    'crossquote:wakeups',
    'crossquote:rate',
    'crossquote:wakeups:one',
    'crossquote:rate:one',
    'crossquote:wakeups:two',
    'crossquote:rate:two',
  ])
})
