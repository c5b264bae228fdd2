import { AppError } from '#src/errors.ts'

/** Items that wait for one reader. */
export type ReaderQueue<Item> = Readonly<{
  /** Yields all pushed items in order, then the end or the error. A reader that stops early must call `return`. */
  items: AsyncIterableIterator<Item>
  isOpen: () => boolean
  /** Ends with SUBSCRIBER_TOO_SLOW if too many items are waiting. */
  push: (item: Item) => void
  /** Ignores the limit, for a backlog that the reader asked for. */
  pushAll: (items: readonly Item[]) => void
  /** Ends after the waiting items. */
  finish: () => void
  fail: (error: unknown) => void
}>

type Reader<Item> = PromiseWithResolvers<IteratorResult<Item, undefined>>

const done = { done: true, value: undefined } as const

/** Holds at most `maxQueued` items for one reader. Calls `onEnd` once, when it accepts no more items. */
export function createReaderQueue<Item>(
  onEnd: () => void,
  { maxQueued }: Readonly<{ maxQueued: number }>,
): ReaderQueue<Item> {
  let waiting: Item[] = []
  let readers: Reader<Item>[] = []
  let isOpen = true
  let failure: Readonly<{ error: unknown }> | undefined

  const give = (item: Item): void => {
    const reader = readers.shift()
    if (reader === undefined) waiting.push(item)
    else reader.resolve({ done: false, value: item })
  }

  const end = (why?: Readonly<{ error: unknown }>): void => {
    if (!isOpen) return
    isOpen = false
    const [first, ...others] = readers
    readers = []
    if (why === undefined) first?.resolve(done)
    else if (first === undefined) failure = why
    else first.reject(why.error)
    for (const reader of others) reader.resolve(done)
    onEnd()
  }

  const next = (): Promise<IteratorResult<Item, undefined>> => {
    const item = waiting.shift()
    if (item !== undefined) return Promise.resolve({ done: false, value: item })
    if (failure !== undefined) {
      const { error } = failure
      failure = undefined
      return Promise.reject(error)
    }
    if (!isOpen) return Promise.resolve(done)
    const reader = Promise.withResolvers<IteratorResult<Item, undefined>>()
    readers.push(reader)
    return reader.promise
  }

  const leave = (): Promise<IteratorResult<Item, undefined>> => {
    waiting = []
    failure = undefined
    end()
    return Promise.resolve(done)
  }

  const items: AsyncIterableIterator<Item> = {
    next,
    return: leave,
    throw: async (error: unknown) => {
      await leave()
      throw error
    },
    [Symbol.asyncIterator]: () => items,
  }

  return {
    items,
    isOpen: () => isOpen,
    push: (item) => {
      if (!isOpen) return
      if (waiting.length >= maxQueued) end({ error: tooSlow(maxQueued) })
      else give(item)
    },
    pushAll: (all) => {
      if (isOpen) for (const item of all) give(item)
    },
    finish: () => end(),
    fail: (error) => end({ error }),
  }
}

const tooSlow = (maxQueued: number): AppError =>
  new AppError(
    'SUBSCRIBER_TOO_SLOW',
    `More than ${maxQueued} changes are waiting; subscribe again after the last seq you have read`,
  )
