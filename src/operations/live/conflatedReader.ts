/** The newest item for one reader: an item that was not read in time gives way to a newer one. */
export type ConflatedReader<Item> = Readonly<{
  /** Yields the newest item whenever it is news. A reader that stops early must call `return`. */
  items: AsyncIterableIterator<Item>
  /** Replaces the item that waits. */
  offer: (item: Item) => void
  /** Ends with the error. What waits is dropped. */
  fail: (error: unknown) => void
}>

type Options<Item> = Readonly<{
  /** Whether a reader whose last item is `last` learns something from `item`. */
  isNews: (last: Item, item: Item) => boolean
  /** Shortest time between two items; 0: none. */
  minIntervalMs: number
}>

type Waiting<Item> = PromiseWithResolvers<IteratorResult<Item, undefined>>

const done = { done: true, value: undefined } as const

/** Calls `onEnd` once, when it accepts no more items. */
export function createConflatedReader<Item>(
  onEnd: () => void,
  { isNews, minIntervalMs }: Options<Item>,
): ConflatedReader<Item> {
  let newest: Readonly<{ item: Item }> | undefined
  let last: Readonly<{ item: Item }> | undefined
  let readers: Waiting<Item>[] = []
  let resting: NodeJS.Timeout | undefined
  let isOpen = true
  let failure: Readonly<{ error: unknown }> | undefined

  const rest = (): void => {
    if (minIntervalMs === 0) return
    resting = setTimeout(() => {
      resting = undefined
      give()
    }, minIntervalMs).unref()
  }

  const give = (): void => {
    const [reader] = readers
    if (reader === undefined || newest === undefined || resting !== undefined) return
    const { item } = newest
    newest = undefined
    // The news may have been taken back while nobody read it.
    if (last !== undefined && !isNews(last.item, item)) return
    last = { item }
    readers.shift()
    reader.resolve({ done: false, value: item })
    rest()
  }

  const end = (why?: Readonly<{ error: unknown }>): void => {
    if (!isOpen) return
    isOpen = false
    newest = undefined
    clearTimeout(resting)
    const [first, ...others] = readers
    readers = []
    if (why === undefined) first?.resolve(done)
    else if (first === undefined) failure = why
    else first.reject(why.error)
    for (const reader of others) reader.resolve(done)
    onEnd()
  }

  const items: AsyncIterableIterator<Item> = {
    next: () => {
      if (failure !== undefined) {
        const { error } = failure
        failure = undefined
        return Promise.reject(error)
      }
      if (!isOpen) return Promise.resolve(done)
      const reader = Promise.withResolvers<IteratorResult<Item, undefined>>()
      readers.push(reader)
      give()
      return reader.promise
    },
    return: () => {
      end()
      failure = undefined
      return Promise.resolve(done)
    },
    [Symbol.asyncIterator]: () => items,
  }

  return {
    items,
    offer: (item) => {
      if (!isOpen) return
      newest = { item }
      give()
    },
    fail: (error) => end({ error }),
  }
}
