/**
 * Takes turns: each call gives the next of `keys`, so many that all come up once in `period` calls.
 * Keys that are added later join in.
 */
export function createRotation<Key>(
  keys: Pick<ReadonlySet<Key>, 'keys' | 'size'>,
  period: number,
): () => readonly Key[] {
  let turn = keys.keys()
  return () => {
    const share: Key[] = []
    const size = Math.ceil(keys.size / period)
    while (share.length < size) {
      const next = turn.next()
      if (next.done) turn = keys.keys()
      else share.push(next.value)
    }
    return share
  }
}
