import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createConflatedReader, createLiveTopic } from './liveTopic.ts'

const isNews = (last: string, item: string) => last !== item
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('gives readers an item in several turns, and a newer one that comes meanwhile to all of them', async () => {
  const topic = createLiveTopic<string>({ onEmpty: () => {} }, isNews)
  const got = Array.from({ length: 250 }, (): string[] => [])
  for (const own of got)
    void (async () => {
      for await (const item of topic.join()) own.push(item)
    })()
  const counts = () => {
    const texts = got.map((own) => own.join(' '))
    return [...new Set(texts)].map((text) => [text, texts.filter((each) => each === text).length])
  }
  topic.publish('a')
  topic.publish('a')
  for (let turns = 0; turns < 3; turns += 1) await turn()
  expect(counts()).toEqual([['a', 250]])
  topic.publish('b')
  await turn()
  topic.publish('c')
  for (let turns = 0; turns < 6; turns += 1) await turn()
  expect(counts()).toEqual([
    ['a b c', 200],
    ['a c', 50],
  ])
})

it('gives a reader that joins the newest item, and reports when the last one has left', async () => {
  const onEmpty = vi.fn()
  const topic = createLiveTopic<string>({ onEmpty }, isNews)
  const early = topic.join()
  topic.publish('a')
  topic.publish('b')
  const late = topic.join()
  expect([(await early.next()).value, (await late.next()).value]).toEqual(['b', 'b'])
  await early.return?.()
  expect(onEmpty).not.toHaveBeenCalled()
  const pending = late.next()
  topic.fail(new Error('over'))
  await expect(pending).rejects.toThrow('over')
  expect(onEmpty).toHaveBeenCalledOnce()
})

describe('a reader', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  function read(minIntervalMs = 0, onEnd = () => {}) {
    let newest: Readonly<{ item: string }> | undefined
    const source = { newest: () => newest, onEnd }
    const { offer, ...reader } = createConflatedReader<string>(source, { isNews, minIntervalMs })
    return {
      ...reader,
      offer: (item: string) => {
        newest = { item }
        offer()
      },
    }
  }

  /** Collects what a reader gets that always reads on. */
  function collect(items: AsyncIterableIterator<string>): string[] {
    const got: string[] = []
    void (async () => {
      for await (const item of items) got.push(item)
    })()
    return got
  }

  it('a reader that is late gets the newest item only, and nothing if that is its last one', async () => {
    const { items, offer } = read()
    offer('a')
    offer('b')
    expect((await items.next()).value).toBe('b')
    offer('c')
    offer('b')
    const next = items.next()
    offer('d')
    expect((await next).value).toBe('d')
  })

  it('keeps the shortest time between two items, and gives the newest one after it', async () => {
    const { items, offer } = read(1_000)
    const got = collect(items)
    offer('a')
    await vi.advanceTimersByTimeAsync(0)
    expect(got).toEqual(['a'])
    offer('b')
    await vi.advanceTimersByTimeAsync(999)
    offer('c')
    expect(got).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(1)
    expect(got).toEqual(['a', 'c'])
    await vi.advanceTimersByTimeAsync(5_000)
    offer('d')
    await vi.advanceTimersByTimeAsync(0)
    expect(got).toEqual(['a', 'c', 'd'])
  })

  it('ends once, and leaves no timer behind', async () => {
    const onEnd = vi.fn()
    const { items, offer, fail } = read(1_000, onEnd)
    offer('a')
    await items.next()
    const pending = items.next()
    await items.return?.()
    fail(new Error('too late'))
    offer('b')
    expect([(await pending).done, (await items.next()).done]).toEqual([true, true])
    expect([onEnd.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0])
  })

  it('reports a failure once, to a reader that waits or comes later', async () => {
    for (const isWaiting of [true, false]) {
      const { items, offer, fail } = read()
      offer('a')
      await items.next()
      const pending = isWaiting ? items.next() : undefined
      offer('a')
      fail(new Error('over'))
      await expect(pending ?? items.next()).rejects.toThrow('over')
      expect((await items.next()).done).toBe(true)
    }
  })
})
