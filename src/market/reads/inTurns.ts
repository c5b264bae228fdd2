import { setImmediate } from 'node:timers/promises'

/**
 * The results of `run` for all items, in order. Starts each run in its own turn of the event loop, so that other work
 * can run between two starts.
 * @throws the failure of the first failed item, after all runs have ended.
 */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const running: Promise<readonly PromiseSettledResult<Result>[]>[] = []
  for (const item of items) {
    running.push(Promise.allSettled([run(item)]))
    await setImmediate()
  }
  return (await Promise.all(running)).flat().map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}
