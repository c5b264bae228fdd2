/**
 * Takes turns: each call gives the next few of `keys`, or none, so that within any `period` calls each
 * comes up once. Keys that are added later join in.
 */
export function createRotation<Key>(
  keys: Pick<ReadonlySet<Key>, 'keys' | 'size'>,
  period: number,
): () => readonly Key[] {
  let turn = keys.keys()
  /** In parts of a key, `period` to the whole: what is left over from the calls before. */
  let parts = 0
  return () => {
    parts += keys.size
    const share: Key[] = []
    while (parts >= period) {
      const next = turn.next()
      if (next.done) turn = keys.keys()
      else {
        share.push(next.value)
        parts -= period
      }
    }
    return share
  }
}
