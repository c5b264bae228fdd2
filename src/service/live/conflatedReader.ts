import type { Items } from '#src/requests/events/items.ts'
import { createPendingReads } from '#src/requests/events/pendingReads.ts'

/** Gives one reader the newest item. A newer item replaces one that was not read in time. */
export type ConflatedReader<Item> = Readonly<{
  /** Only items that are news to the reader. */
  items: Items<Item>
  /** Whether the reader waits for an item, and is not throttled. */
  isReady: () => boolean
  /** Gives the newest item to a reader that is ready, if it is news to it. */
  offer: () => void
  /** Ends with the error. */
  fail: (error: unknown) => void
}>

type Source<Item> = Readonly<{
  /** `undefined` if there is none yet. The next one is then offered. */
  newest: () => Readonly<{ item: Item }> | undefined
  /** Called once, when the reader takes no more items. */
  onEnd: () => void
}>

type Options<Item> = Readonly<{
  /** Whether `item` is new to a reader whose last item is `last`. */
  isNews: (last: Item, item: Item) => boolean
  /** Shortest time between two items; 0: none. */
  minIntervalMs: number
}>

export function createConflatedReader<Item>(
  { newest, onEnd }: Source<Item>,
  { isNews, minIntervalMs }: Options<Item>,
): ConflatedReader<Item> {
  let last: Readonly<{ item: Item }> | undefined
  let throttle: NodeJS.Timeout | undefined
  const reads = createPendingReads<Item>(() => {
    clearTimeout(throttle)
    onEnd()
  })

  const startThrottle = (): void => {
    if (minIntervalMs === 0) return
    throttle = setTimeout(() => {
      throttle = undefined
      offer()
    }, minIntervalMs).unref()
  }

  const isReady = (): boolean => throttle === undefined && reads.isAwaited()

  const offer = (): void => {
    if (!isReady()) return
    const found = newest()
    if (found === undefined || found === last) return
    if (last !== undefined && !isNews(last.item, found.item)) return
    last = found
    startThrottle()
    reads.give(found.item)
  }

  const items: Items<Item> = {
    next: () => {
      const read = reads.wait()
      offer()
      return read
    },
    flow: (sink) => {
      const resume = (): void => {
        reads.resume()
        offer()
      }
      reads.attach(sink)
      resume()
      return resume
    },
    return: reads.leave,
    [Symbol.asyncIterator]: () => items,
  }

  return { items, isReady, offer, fail: (error) => reads.end({ error }) }
}
