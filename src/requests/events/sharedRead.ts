/**
 * Shares reads between callers. Calls during a read share the next read, which starts when the current one ends. No
 * caller gets data from a read that started before its call.
 */
export function createSharedRead<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let underWay: Promise<Result> | undefined
  let next: Promise<Result> | undefined

  const begin = (): Promise<Result> => {
    next = undefined
    const reading = read()
    underWay = reading
    const done = () => {
      if (underWay === reading) underWay = undefined
    }
    reading.then(done, done)
    return reading
  }

  return () => {
    if (underWay === undefined) return begin()
    next ??= underWay.then(begin, begin)
    return next
  }
}
