import type { Sink } from './items.ts'

/** The reads of one reader that wait for an item. */
export type PendingReads<Item> = Readonly<{
  isOpen: () => boolean
  /** Whether a read waits, or the sink has room. */
  isAwaited: () => boolean
  /** Resolves the first read that waits, if there is one, or hands the item to the sink. */
  give: (item: Item) => void
  /** A read of the next item, of the end, or of the error, which is told once. */
  wait: () => Promise<IteratorResult<Item, undefined>>
  /** From now on a sink takes what is given, once it is resumed. */
  attach: (sink: Sink<Item>) => void
  /** The sink has room for an item, the end, or the error. */
  resume: () => void
  /** Ends all reads: the first with the error, if there is one. */
  end: (why?: Readonly<{ error: unknown }>) => void
  /** Ends all reads, and tells no error any more: the reader has left. A sink is told nothing. */
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

  const tellSink = (): void => {
    const told = sink
    sink = undefined
    hasRoom = false
    told?.end(failure)
  }

  const resume = (): void => {
    if (isOpen) hasRoom = sink !== undefined
    else tellSink()
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
    if (hasRoom) tellSink()
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
