import { AppError } from '#src/core/errors.ts'

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

/** Receives items synchronously. Neither function throws. */
export type Sink<Item> = Readonly<{
  /** Returns whether there is room for another item. After `false`, later items wait for `resume`. */
  take: (item: Item) => boolean
  /** The end of the items, or their failure. */
  end: (why?: Readonly<{ error: unknown }>) => void
}>

/**
 * Pushes the items of one reader into a sink, starting with the waiting items. Returns `resume`, to call when the sink
 * has room again.
 */
export type Flow<Item> = (sink: Sink<Item>) => () => void

/**
 * Items for one reader, which either pulls them or has them pushed by `flow`. A reader that stops early calls `return`.
 */
export type Items<Item> = AsyncIterableIterator<Item, undefined> & Readonly<{ flow: Flow<Item> }>

/** Reads of one reader that wait for an item. */
type PendingReads<Item> = Readonly<{
  isOpen: () => boolean
  /** Whether a read waits, or the sink has room. */
  isAwaited: () => boolean
  /** Passes the item to the sink, or resolves the first waiting read, if there is one. */
  give: (item: Item) => void
  /** Reads the next item, the end, or the error. Only one read gets the error. */
  wait: () => Promise<IteratorResult<Item, undefined>>
  /** From now on, the sink takes the items, once it is resumed. */
  attach: (sink: Sink<Item>) => void
  /** Call it when the sink has room for an item, the end, or the error. */
  resume: () => void
  /** Ends all reads: the first with the error, if there is one. */
  end: (why?: Readonly<{ error: unknown }>) => void
  /** Ends all reads because the reader has left. Drops a pending error, and does not notify the sink. */
  leave: () => Promise<IteratorResult<Item, undefined>>
}>

const done = { done: true, value: undefined } as const

/** Calls `onEnd` once, when no more items are accepted. */
export function createPendingReads<Item>(onEnd: () => void): PendingReads<Item> {
  let reads: PromiseWithResolvers<IteratorResult<Item, undefined>>[] = []
  let sink: Sink<Item> | undefined
  let hasRoom = false
  let isOpen = true
  let failure: Readonly<{ error: unknown }> | undefined

  const endSink = (): void => {
    const ended = sink
    sink = undefined
    hasRoom = false
    ended?.end(failure)
  }

  const resume = (): void => {
    if (isOpen) hasRoom = sink !== undefined
    else endSink()
  }

  const end = (why?: Readonly<{ error: unknown }>): void => {
    if (!isOpen) return
    isOpen = false
    const [first, ...others] = reads
    reads = []
    if (why !== undefined && first !== undefined) first.reject(why.error)
    else {
      failure = why
      first?.resolve(done)
    }
    for (const read of others) read.resolve(done)
    if (hasRoom) endSink()
    onEnd()
  }

  return {
    isOpen: () => isOpen,
    isAwaited: () => hasRoom || reads.length > 0,
    give: (item) => {
      if (sink === undefined) return reads.shift()?.resolve({ done: false, value: item })
      hasRoom = false
      if (sink.take(item)) resume()
    },
    wait: () => {
      if (failure !== undefined) {
        const { error } = failure
        failure = undefined
        return Promise.reject(error)
      }
      if (!isOpen) return Promise.resolve(done)
      const read = Promise.withResolvers<IteratorResult<Item, undefined>>()
      reads.push(read)
      return read.promise
    },
    attach: (taking) => {
      sink = taking
    },
    resume,
    end,
    leave: () => {
      sink = undefined
      hasRoom = false
      end()
      failure = undefined
      return Promise.resolve(done)
    },
  }
}
