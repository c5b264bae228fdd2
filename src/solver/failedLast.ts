/**
 * Orders the items of rounds that end when nodes do not answer: perhaps they refuse to answer about one item only. Items
 * that have ended a round come last, until all are done, so that none of them keeps the others from their turn.
 */
export function createFailedLast<Item>(idOf: (item: Item) => string) {
  const failed = new Set<string>()
  /** Calls `run` for each item. @throws the first error of `run`. */
  return async (items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> => {
    const isFailed = (item: Item) => failed.has(idOf(item))
    for (const item of items.toSorted((a, b) => Number(isFailed(a)) - Number(isFailed(b))))
      try {
        await run(item)
      } catch (error) {
        failed.add(idOf(item))
        throw error
      }
    failed.clear()
  }
}
