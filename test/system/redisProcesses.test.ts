import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bus, Wakeup } from '#src/requests/events/bus.ts'
import { createHub } from '#src/requests/events/hub.ts'
import { createRedisBus } from '#src/requests/events/redisBus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { lifecycleEvents } from '#test/support/models/lifecycleEvents.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import type { Changing } from '#test/support/processes/changingProcess.ts'
import {
  createPostgresHome,
  type StoreHome,
  serverUrl,
  silentLog,
} from '#test/support/store/storeHome.ts'
import { idOf } from '#test/support/store/storeModel.ts'

// biome-ignore lint/style/noProcessEnv: vitest passes on only the variables that start with VITE_.
const url = process.env['TEST_REDIS_URL'] ?? ''
const patience = { timeout: waitLimitMs, interval: 5 }
const requestIds = Array.from({ length: 50 }, (_, at) => idOf(at))

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

describe.skipIf(url === '' || serverUrl === undefined)('two processes on one Redis', () => {
  let home: StoreHome
  let store: RequestStore
  let bus: Bus
  let wakeups: Wakeup[]
  let stream: string
  beforeEach(async () => {
    stream = `crossquote:test:${randomUUID()}`
    home = await createPostgresHome()
    bus = createRedisBus({ log: silentLog }, { url, stream })
    wakeups = []
    bus.listen((wakeup) => wakeups.push(wakeup))
    store = await home.open({ bus })
    undo.push(home.remove, removeStream, bus.close, store.close)
    for (const each of requestIds) await store.put(quotedRequest(each))
    // Waits until the reader has its position in the stream.
    await vi.waitFor(() => expect(wakeups).toEqual([{ kind: 'missed' }]), patience)
  })

  const removeStream = async (): Promise<void> => {
    const redis = new Redis(url)
    await redis.del(stream)
    await redis.quit()
  }

  const startChanging = (): ChildProcess => {
    const task: Changing = { where: home.where, url, stream, requestIds }
    const child = fork(new URL('../support/processes/changingProcess.ts', import.meta.url), [
      JSON.stringify(task),
    ])
    undo.push(async () => child.kill('SIGKILL'))
    return child
  }

  /** The states that the subscriber of each request receives, once all requests have ended. */
  const watchAll = async (sweepSeconds: number) => {
    const hub = createHub({ log: silentLog, store, bus }, { sweepSeconds, maxQueued: 64 })
    undo.push(async () => hub.close())
    const all = requestIds.map((requestId) => hub.watch(requestId))
    const firsts = await Promise.all(all.map((items) => items.next()))
    const rests = all.map(async (items, at) => {
      const seqs = [firsts[at]?.value?.state.seq]
      for await (const { state } of items) seqs.push(state.seq)
      return seqs
    })
    return Promise.all(rests)
  }
  const everySeq = requestIds.map(() => [0, ...lifecycleEvents.map((_, at) => at + 1)])

  it('notify each other’s subscribers of every change', async () => {
    const watching = watchAll(3_600)
    expect(await once(startChanging(), 'exit')).toEqual([0, null])
    expect(await watching).toEqual(everySeq)
    expect(wakeups.filter(({ kind }) => kind === 'change')).toHaveLength(
      lifecycleEvents.length * requestIds.length,
    )
  })

  it('lose no change if the process that makes changes is killed and another one continues', async () => {
    const watching = watchAll(1)
    const first = startChanging()
    await vi.waitUntil(() => wakeups.length > 70, patience)
    first.kill('SIGKILL')
    expect(await once(first, 'exit')).toEqual([null, 'SIGKILL'])
    expect(wakeups.length).toBeLessThan(lifecycleEvents.length * requestIds.length)
    expect(await once(startChanging(), 'exit')).toEqual([0, null])
    expect(await watching).toEqual(everySeq)
  })
})
