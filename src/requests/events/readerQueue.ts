import { AppError } from '#src/errors.ts'

/** What one reader has yet to read. */
export type ReaderQueue<Item> = Readonly<{
  /** Gives all that was pushed, in order, and then how it ended. Whoever leaves early calls `return`. */
  items: AsyncIterableIterator<Item>
  isOpen: () => boolean
  /** Ends with SUBSCRIBER_TOO_SLOW where too many wait already. */
  push: (item: Item) => void
  /** Past the limit, for what the reader asked for all at once. */
  pushAll: (items: readonly Item[]) => void
  /** Nothing comes any more. */
  finish: () => void
  fail: (error: unknown) => void
}>

type Reader<Item> = PromiseWithResolvers<IteratorResult<Item, undefined>>

const done = { done: true, value: undefined } as const

/** Holds at most `most` items for a reader at its own pace. `onEnd` is called once, when nothing more is taken. */
export function createReaderQueue<Item>(
  onEnd: () => void,
  { most }: Readonly<{ most: number }>,
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
      if (waiting.length >= most) end({ error: tooSlow(most) })
      else give(item)
    },
    pushAll: (all) => {
      if (isOpen) for (const item of all) give(item)
    },
    finish: () => end(),
    fail: (error) => end({ error }),
  }
}

const tooSlow = (most: number): AppError =>
  new AppError(
    'SUBSCRIBER_TOO_SLOW',
    `More than ${most} changes wait to be read; subscribe again after the last seq that was read`,
  )
