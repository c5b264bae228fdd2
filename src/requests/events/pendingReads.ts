/** The reads of one async iterator that wait for an item. */
export type PendingReads<Item> = Readonly<{
  isOpen: () => boolean
  /** Whether a read waits. */
  isAwaited: () => boolean
  /** Resolves the first read that waits, if there is one. */
  give: (item: Item) => void
  /** A read of the next item, of the end, or of the error, which is told once. */
  wait: () => Promise<IteratorResult<Item, undefined>>
  /** Ends all reads: the first with the error, if there is one. */
  end: (why?: Readonly<{ error: unknown }>) => void
  /** Ends all reads, and tells no error any more: the reader has left. */
  leave: () => Promise<IteratorResult<Item, undefined>>
}>

const done = { done: true, value: undefined } as const

/** Calls `onEnd` once, when no more items are accepted. */
export function createPendingReads<Item>(onEnd: () => void): PendingReads<Item> {
  let reads: PromiseWithResolvers<IteratorResult<Item, undefined>>[] = []
  let isOpen = true
  let failure: Readonly<{ error: unknown }> | undefined

  const end = (why?: Readonly<{ error: unknown }>): void => {
    if (!isOpen) return
    isOpen = false
    const [first, ...others] = reads
    reads = []
    if (why === undefined) first?.resolve(done)
    else if (first === undefined) failure = why
    else first.reject(why.error)
    for (const read of others) read.resolve(done)
    onEnd()
  }

  return {
    isOpen: () => isOpen,
    isAwaited: () => reads.length > 0,
    give: (item) => reads.shift()?.resolve({ done: false, value: item }),
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
    end,
    leave: () => {
      end()
      failure = undefined
      return Promise.resolve(done)
    },
  }
}
