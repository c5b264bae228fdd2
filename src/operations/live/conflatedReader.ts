import { createPendingReads } from '#src/requests/events/pendingReads.ts'

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

/** Calls `onEnd` once, when it accepts no more items. */
export function createConflatedReader<Item>(
  onEnd: () => void,
  { isNews, minIntervalMs }: Options<Item>,
): ConflatedReader<Item> {
  let newest: Readonly<{ item: Item }> | undefined
  let last: Readonly<{ item: Item }> | undefined
  let resting: NodeJS.Timeout | undefined
  const reads = createPendingReads<Item>(() => {
    newest = undefined
    clearTimeout(resting)
    onEnd()
  })

  const rest = (): void => {
    if (minIntervalMs === 0) return
    resting = setTimeout(() => {
      resting = undefined
      give()
    }, minIntervalMs).unref()
  }

  const give = (): void => {
    if (!reads.isAwaited() || newest === undefined || resting !== undefined) return
    const { item } = newest
    newest = undefined
    // The news may have been taken back while nobody read it.
    if (last !== undefined && !isNews(last.item, item)) return
    last = { item }
    reads.give(item)
    rest()
  }

  const items: AsyncIterableIterator<Item> = {
    next: () => {
      const read = reads.wait()
      give()
      return read
    },
    return: reads.leave,
    [Symbol.asyncIterator]: () => items,
  }

  return {
    items,
    offer: (item) => {
      if (!reads.isOpen()) return
      newest = { item }
      give()
    },
    fail: (error) => reads.end({ error }),
  }
}
