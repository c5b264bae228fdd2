import { describe, expect, it, vi } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { patience } from '#test/support/patience.ts'
import { createStoreModel, idOf, type StoreModel } from '#test/support/store/storeModel.ts'
import { createLocalBus } from './bus.ts'
import { createHub } from './hub.ts'
import type { WatchedChange } from './topic.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const patient = { sweepSeconds: 3600, maxQueued: 64 }

const hubOver = (store: Partial<StoreModel> = {}, options = patient) => {
  const model = createStoreModel()
  const bus = createLocalBus()
  const hub = createHub({ log: silent, store: { ...model, ...store }, bus }, options)
  model.put(idOf(1))
  const change = (status: 'pending' | 'submitted' | 'success', wakes = true) => {
    const change = model.change(idOf(1), status)
    if (wakes) bus.publish([{ kind: 'change', change }])
    return change
  }
  return { model, bus, hub, change }
}

const seqOf = ({ value }: IteratorResult<WatchedChange, undefined>) => value?.state.seq
const allSeqs = async (items: AsyncIterable<WatchedChange>) => {
  const seqs: number[] = []
  for await (const { state } of items) seqs.push(state.seq)
  return seqs
}

describe('a subscriber', () => {
  it('gets the current state at once, then every change until the last', async () => {
    const { hub, change } = hubOver()
    const items = hub.watch(idOf(1))
    expect(seqOf(await items.next())).toBe(0)
    for (const status of ['pending', 'submitted', 'success'] as const) change(status)
    expect(await allSeqs(items)).toEqual([1, 2, 3])
    expect(hub.subscribers()).toBe(0)
  })

  it('gets only the changes after a given seq', async () => {
    const { hub, change } = hubOver()
    for (const status of ['pending', 'submitted', 'success'] as const) change(status)
    expect(await allSeqs(hub.watch(idOf(1), 1))).toEqual([2, 3])
    expect(await allSeqs(hub.watch(idOf(1), 3))).toEqual([])
    expect(await allSeqs(hub.watch(idOf(1)))).toEqual([3])
  })

  it('is refused for a seq ahead of the last change', async () => {
    const { hub, change } = hubOver()
    change('pending')
    await expect(hub.watch(idOf(1), 2).next()).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'after: the last change of the request is 1',
    })
    expect(hub.subscribers()).toBe(0)
  })

  it('is refused for an unknown request', async () => {
    const { hub } = hubOver()
    await expect(hub.watch(idOf(2)).next()).rejects.toMatchObject({ code: 'UNKNOWN_REQUEST' })
    expect(hub.subscribers()).toBe(0)
  })

  it('that reads too slowly gets the queued changes, then an error', async () => {
    const { hub, change } = hubOver({}, { sweepSeconds: 3600, maxQueued: 3 })
    const slow = hub.watch(idOf(1))
    const quick = hub.watch(idOf(1))
    expect(seqOf(await slow.next())).toBe(0)
    expect(seqOf(await quick.next())).toBe(0)
    for (let seq = 1; seq <= 5; seq += 1) {
      change('pending')
      expect(seqOf(await quick.next())).toBe(seq)
    }
    expect(hub.subscribers()).toBe(1)
    expect([seqOf(await slow.next()), seqOf(await slow.next()), seqOf(await slow.next())]).toEqual([
      1, 2, 3,
    ])
    await expect(slow.next()).rejects.toMatchObject({ code: 'SUBSCRIBER_TOO_SLOW' })
    expect(await slow.next()).toEqual({ done: true, value: undefined })
    await quick.return?.()
    expect(hub.subscribers()).toBe(0)
  })

  it('that stops early, even before its first change, frees everything', async () => {
    const { hub } = hubOver()
    const early = hub.watch(idOf(1))
    const pending = early.next()
    await early.return?.()
    expect(await pending).toEqual({ done: true, value: undefined })
    const thrown = hub.watch(idOf(1))
    await thrown.next()
    await expect(thrown.throw?.(new Error('enough'))).rejects.toThrow('enough')
    expect(hub.subscribers()).toBe(0)
  })

  it('gets an error if the store fails at the start or the server stops', async () => {
    const down = hubOver({
      find: () => Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'The database is down')),
    })
    await expect(down.hub.watch(idOf(1)).next()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
    const { hub } = hubOver()
    const items = hub.watch(idOf(1))
    await items.next()
    hub.close()
    await expect(items.next()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

describe('many subscribers', () => {
  it('of one request share each change and each read', async () => {
    const model = createStoreModel()
    model.put(idOf(1))
    const find = vi.fn(model.find)
    const changesAfter = vi.fn(model.changesAfter)
    const bus = createLocalBus()
    const hub = createHub({ log: silent, store: { ...model, find, changesAfter }, bus }, patient)
    const all = Array.from({ length: 1_000 }, () => hub.watch(idOf(1)))
    await Promise.all(all.map((items) => items.next()))
    expect(find).toHaveBeenCalledTimes(2)
    model.change(idOf(1), 'pending')
    const change = model.change(idOf(1), 'success')
    bus.publish([{ kind: 'change', change }])
    const [first, ...others] = await Promise.all(all.map((items) => items.next()))
    expect(seqOf(first as IteratorResult<WatchedChange, undefined>)).toBe(1)
    for (const { value } of others) expect(value).toBe(first?.value)
    expect(changesAfter).toHaveBeenCalledTimes(1)
    expect(await Promise.all(all.map(allSeqs))).toEqual(all.map(() => [2]))
  })
})

describe('lost wake-ups', () => {
  it('are made up for by the sweep, also after an outage of the store', async () => {
    let isDown = true
    const model = createStoreModel()
    model.put(idOf(1))
    const seqsOf: StoreModel['seqsOf'] = async (ids) => {
      if (isDown) throw new AppError('SERVICE_UNAVAILABLE', 'The database is down')
      return model.seqsOf(ids)
    }
    const warn = vi.fn()
    const hub = createHub(
      { log: { ...silent, warn }, store: { ...model, seqsOf }, bus: createLocalBus() },
      { sweepSeconds: 0.01, maxQueued: 64 },
    )
    const items = hub.watch(idOf(1))
    await items.next()
    model.change(idOf(1), 'success')
    await vi.waitUntil(() => warn.mock.calls.length > 0, patience)
    isDown = false
    expect(await allSeqs(items)).toEqual([1])
    expect(warn).toHaveBeenCalledTimes(1)
    hub.close()
  })
})
