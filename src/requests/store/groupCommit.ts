import { setImmediate } from 'node:timers/promises'

export type GroupCommit<Entry> = Readonly<{
  /**
   * Resolves once the entry is written.
   * @throws the error of `write` for this entry or its batch; the error of `refuse` if the queue is full or closed.
   */
  put: (entry: Entry) => Promise<void>
  /** Resolves once all earlier entries are written or have failed. Refuses later entries. */
  close: () => Promise<void>
}>

type Deps<Entry> = Readonly<{
  /** Writes a batch in one transaction. Returns one outcome per entry, in order: an error if it was refused. */
  write: (batch: readonly Entry[]) => Promise<readonly (Error | undefined)[]>
  sizeOf: (entry: Entry) => number
  refuse: () => Error
}>

/** Maximum sizes. A batch has at least one entry, even a larger one. */
type Limits = Readonly<{ batchEntries: number; batchSize: number; waitingSize: number }>

/** Entries that arrive while a batch is written form the next batch, so that a burst needs few writes. */
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
      // Collect all entries of this turn of the event loop.
      await setImmediate()
      const batch = waiting.splice(0, batchLength(waiting, limits))
      waitingSize -= batch.reduce((sum, { size }) => sum + size, 0)
      try {
        const outcomes = await write(batch.map(({ entry }) => entry))
        for (const [at, each] of batch.entries()) each.finish(outcomes[at])
      } catch (error) {
        for (const each of batch) each.finish(error as Error)
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
        const finish = (error: Error | undefined) => (error ? reject(error) : resolve())
        waiting.push({ entry, size, finish })
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
  finish: (error: Error | undefined) => void
}>

/** Number of waiting entries that form the next batch. */
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
