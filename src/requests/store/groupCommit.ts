import { setImmediate } from 'node:timers/promises'

export type GroupCommit<Entry> = Readonly<{
  /**
   * Resolves once the entry is written.
   * @throws What `write` made of this entry, or of its whole batch; what `refuse` makes of an entry
   * that finds the queue full or closed.
   */
  put: (entry: Entry) => Promise<void>
  /** Resolves once all that was put before is written or refused; what comes after is refused. */
  close: () => Promise<void>
}>

type Deps<Entry> = Readonly<{
  /** Writes a batch in one transaction: an error for each entry that it refuses, in their order. */
  write: (batch: readonly Entry[]) => Promise<readonly (Error | undefined)[]>
  sizeOf: (entry: Entry) => number
  refuse: () => Error
}>

/** A batch holds one entry at the least, whatever its size. */
type Limits = Readonly<{ batchEntries: number; batchSize: number; waitingSize: number }>

/** What arrives while a batch is being written makes up the next one: a burst costs few writes. */
export function createGroupCommit<Entry>(
  { write, sizeOf, refuse }: Deps<Entry>,
  limits: Limits,
): GroupCommit<Entry> {
  const waiting: Waiting<Entry>[] = []
  let waitingSize = 0
  let writing: Promise<void> | undefined
  let closed = false

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      // Whatever arrives in one turn of the event loop goes together.
      await setImmediate()
      const batch = waiting.splice(0, batchLength(waiting, limits))
      waitingSize -= batch.reduce((sum, { size }) => sum + size, 0)
      try {
        const outcomes = await write(batch.map(({ entry }) => entry))
        for (const [at, each] of batch.entries()) each.settle(outcomes[at])
      } catch (error) {
        for (const each of batch) each.settle(error as Error)
      }
    }
    writing = undefined
  }

  return {
    async put(entry) {
      const size = sizeOf(entry)
      if (closed || waitingSize + size > limits.waitingSize) throw refuse()
      waitingSize += size
      const written = new Promise<void>((resolve, reject) => {
        const settle = (error: Error | undefined) => (error ? reject(error) : resolve())
        waiting.push({ entry, size, settle })
      })
      writing ??= writeAll()
      await written
    },
    async close() {
      closed = true
      await writing
    },
  }
}

type Waiting<Entry> = Readonly<{
  entry: Entry
  size: number
  settle: (error: Error | undefined) => void
}>

/** How many of those at the front go together. */
function batchLength(
  waiting: readonly Readonly<{ size: number }>[],
  { batchEntries, batchSize }: Limits,
): number {
  let size = 0
  const over = waiting.findIndex((entry, at) => {
    size += entry.size
    return at > 0 && (at >= batchEntries || size > batchSize)
  })
  return over < 0 ? waiting.length : over
}
