/**
 * One read for all who ask while another is under way, begun once that one is done: nobody gets what was
 * read before they asked.
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
