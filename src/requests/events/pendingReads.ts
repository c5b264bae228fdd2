import type { Sink } from './items.ts'

/** Reads of one reader that wait for an item. */
export type PendingReads<Item> = Readonly<{
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
