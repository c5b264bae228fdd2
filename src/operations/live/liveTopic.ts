import { AppError } from '#src/errors.ts'
import { createConflatedReader } from './conflatedReader.ts'

/** A value that changes, with its readers. All of them get the same objects. */
export type LiveTopic<Item> = Readonly<{
  /**
   * Yields the current value, if there is one, and then each newer one that is news to this reader. Of several that
   * wait it yields the newest. A reader that stops early must call `return`.
   */
  join: (minIntervalMs?: number) => AsyncIterableIterator<Item>
  publish: (item: Item) => void
  /** The value that was published last. */
  current: () => Item | undefined
  /** Ends all readers with the error. */
  fail: (error: unknown) => void
}>

/** Ends all readers when the process stops. */
export class ShutdownError extends AppError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'The server is shutting down; subscribe again')
  }
}

type Reader<Item> = ReturnType<typeof createConflatedReader<Item>>

/** Readers that get a value in one turn of the event loop. */
const batchSize = 100

/** Calls `onEmpty` whenever the last reader has left. */
export function createLiveTopic<Item>(
  { onEmpty }: Readonly<{ onEmpty: () => void }>,
  compare: (last: Item, item: Item) => boolean,
): LiveTopic<Item> {
  const isNews = comparedOnce(compare)
  const readers = new Set<Reader<Item>>()
  let current: Readonly<{ item: Item }> | undefined
  /** The readers that the dispatch under way has not reached yet. */
  let left: Iterator<Reader<Item>, undefined> | undefined
  let isOutdated = false

  const dispatch = (): void => {
    for (let given = 0; given < batchSize && left !== undefined; given += 1) {
      const { value: reader } = left.next()
      if (reader !== undefined && current !== undefined) reader.offer(current.item)
      else {
        left = isOutdated ? readers.values() : undefined
        isOutdated = false
      }
    }
    if (left !== undefined) setImmediate(dispatch)
  }

  return {
    join: (minIntervalMs = 0) => {
      const leave = () => {
        readers.delete(reader)
        if (readers.size === 0) onEmpty()
      }
      const reader = createConflatedReader<Item>(leave, { isNews, minIntervalMs })
      readers.add(reader)
      if (current !== undefined) reader.offer(current.item)
      return reader.items
    },
    publish: (item) => {
      const isNew = current === undefined || isNews(current.item, item)
      current = { item }
      if (!isNew) return
      // A dispatch under way gives this item to the readers that are left, and the next one gives it to the others.
      isOutdated = left !== undefined
      if (left !== undefined) return
      left = readers.values()
      dispatch()
    },
    current: () => current?.item,
    fail: (error) => {
      for (const reader of readers) reader.fail(error)
    },
  }
}

/** Most readers have read the same item last: the same two are compared once for all of them. */
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
