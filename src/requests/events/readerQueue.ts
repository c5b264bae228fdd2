import { AppError } from '#src/core/errors.ts'
import type { Items, Sink } from './items.ts'
import { createPendingReads } from './pendingReads.ts'

/** Items that wait for one reader. */
export type ReaderQueue<Item> = Readonly<{
  /** All pushed items in order, then the end or the error. */
  items: Items<Item>
  isOpen: () => boolean
  /** Ends with SUBSCRIBER_TOO_SLOW if too many items are waiting. */
  push: (item: Item) => void
  /** Ignores the limit, for a backlog that the reader asked for. */
  pushAll: (items: readonly Item[]) => void
  /** Ends the queue after the waiting items. */
  finish: () => void
  fail: (error: unknown) => void
}>

/** Holds at most `maxQueued` items for one reader. Calls `onEnd` once, when it accepts no more items. */
export function createReaderQueue<Item>(
  onEnd: () => void,
  { maxQueued }: Readonly<{ maxQueued: number }>,
): ReaderQueue<Item> {
  let waiting: Item[] = []
  const reads = createPendingReads<Item>(onEnd)

  const give = (item: Item): void => {
    if (reads.isAwaited()) reads.give(item)
    else waiting.push(item)
  }

  const next = (): Promise<IteratorResult<Item, undefined>> => {
    const item = waiting.shift()
    return item === undefined ? reads.wait() : Promise.resolve({ done: false, value: item })
  }

  const leave = (): Promise<IteratorResult<Item, undefined>> => {
    waiting = []
    return reads.leave()
  }

  /** The sink gets the waiting items before the end. */
  const flow = (sink: Sink<Item>): (() => void) => {
    const resume = (): void => {
      let item = waiting.shift()
      while (item !== undefined && sink.take(item)) item = waiting.shift()
      if (item === undefined) reads.resume()
    }
    reads.attach(sink)
    resume()
    return resume
  }

  const items: Items<Item> = {
    next,
    flow,
    return: leave,
    throw: async (error: unknown) => {
      await leave()
      throw error
    },
    [Symbol.asyncIterator]: () => items,
  }

  return {
    items,
    isOpen: reads.isOpen,
    push: (item) => {
      if (!reads.isOpen()) return
      if (waiting.length >= maxQueued) reads.end({ error: tooSlow(maxQueued) })
      else give(item)
    },
    pushAll: (all) => {
      if (reads.isOpen()) for (const item of all) give(item)
    },
    finish: () => reads.end(),
    fail: (error) => reads.end({ error }),
  }
}

const tooSlow = (maxQueued: number): AppError =>
  new AppError(
    'SUBSCRIBER_TOO_SLOW',
    `More than ${maxQueued} changes are waiting; subscribe again after the last seq you have read`,
  )
