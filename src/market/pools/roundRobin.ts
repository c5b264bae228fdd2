/**
 * Cycles through `keys`: each call returns the next few keys, so that any `period` calls in a row return every key
 * once. Keys that are added later are included.
 */
export function createRoundRobin<Key>(
  keys: Pick<ReadonlySet<Key>, 'keys' | 'size'>,
  period: number,
): () => readonly Key[] {
  let iterator = keys.keys()
  /** Keys owed to the caller, in units of 1/`period` of a key. */
  let credit = 0
  return () => {
    credit += keys.size
    const batch: Key[] = []
    while (credit >= period) {
      const next = iterator.next()
      if (next.done) iterator = keys.keys()
      else {
        batch.push(next.value)
        credit -= period
      }
    }
    return batch
  }
}
