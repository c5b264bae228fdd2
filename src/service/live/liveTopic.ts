import { AppError } from '#src/core/errors.ts'
import { createPendingReads, type Items } from '#src/requests/events/readerQueue.ts'

/** A value that changes, with its readers. All of them get the same objects. */
export type LiveTopic<Item> = Readonly<{
  /**
   * Yields the current value, if there is one, then each newer value that is news to this reader. A reader that is not
   * ready skips all values but the newest. `onLeave` is called once, when it takes no more values.
   */
  join: (minIntervalMs?: number, onLeave?: () => void) => Items<Item>
  publish: (item: Item) => void
  /** The value that was published last. */
  current: () => Item | undefined
  /** Whether a reader would get a new value at once. */
  isAwaited: () => boolean
  /**
   * Marks the last published value as out of date. No reader gets it, and `onWanted` is called once a reader needs a
   * new one.
   */
  invalidate: () => void
  /** Ends all readers with the error. */
  fail: (error: unknown) => void
}>

/** Ends all readers when the process stops. */
export class ShutdownError extends AppError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'The server is shutting down; subscribe again')
  }
}

type Reader<Item> = ConflatedReader<Item>

/** Maximum number of readers that get a value in one turn of the event loop. */
const batchSize = 100

type Listeners = Readonly<{
  /** The last reader has left. */
  onEmpty: () => void
  /** A reader is ready for a value that replaces an outdated one. Called once for each `invalidate`. */
  onWanted?: () => void
}>

export function createLiveTopic<Item>(
  { onEmpty, onWanted }: Listeners,
  compare: (last: Item, item: Item) => boolean,
): LiveTopic<Item> {
  const isNews = comparedOnce(compare)
  const readers = new Set<Reader<Item>>()
  let current: Readonly<{ item: Item }> | undefined
  let state: 'current' | 'outdated' | 'wanted' = 'current'
  /** The readers that the running dispatch has not reached yet. */
  let left: Iterator<Reader<Item>, undefined> | undefined
  let isRepeated = false

  const newest = (): typeof current => {
    if (state === 'current') return current
    if (state === 'outdated') {
      state = 'wanted'
      onWanted?.()
    }
    return undefined
  }

  const dispatch = (): void => {
    for (let given = 0; given < batchSize && left !== undefined; given += 1) {
      const { value: reader } = left.next()
      if (reader !== undefined) reader.offer()
      else {
        left = isRepeated ? readers.values() : undefined
        isRepeated = false
      }
    }
    if (left !== undefined) setImmediate(dispatch)
  }

  return {
    join: (minIntervalMs = 0, onLeave) => {
      const onEnd = () => {
        readers.delete(reader)
        onLeave?.()
        if (readers.size === 0) onEmpty()
      }
      const reader = createConflatedReader<Item>({ newest, onEnd }, { isNews, minIntervalMs })
      readers.add(reader)
      return reader.items
    },
    publish: (item) => {
      // Readers may wait for the value that replaces an outdated one, even if both are the same.
      const isNew = current === undefined || state !== 'current' || isNews(current.item, item)
      current = { item }
      state = 'current'
      if (!isNew) return
      // The running dispatch gives this item to the readers that are left, and a repeated one to the others.
      isRepeated = left !== undefined
      if (left !== undefined) return
      left = readers.values()
      dispatch()
    },
    current: () => current?.item,
    isAwaited: () => {
      for (const reader of readers) if (reader.isReady()) return true
      return false
    },
    invalidate: () => {
      state = 'outdated'
    },
    fail: (error) => {
      for (const reader of readers) reader.fail(error)
    },
  }
}

/** Most readers have the same last item, so one comparison of two items serves all of them. */
function comparedOnce<Item>(
  compare: (last: Item, item: Item) => boolean,
): (last: Item, item: Item) => boolean {
  let known: Readonly<{ last: Item; item: Item; isNews: boolean }> | undefined
  return (last, item) => {
    if (known === undefined || known.last !== last || known.item !== item)
      known = { last, item, isNews: compare(last, item) }
    return known.isNews
  }
}

/** Gives one reader the newest item. A newer item replaces one that was not read in time. */
type ConflatedReader<Item> = Readonly<{
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
