import type { Batch, RequestStore } from '#src/requests/requestStore.ts'

/**
 * A store that loses a commit: it reports the first batch that matches as saved, and does not store it. Every later
 * call fails, as on a primary whose replica takes over without the last commit.
 */
export function losingStore(store: RequestStore, isLost: (batch: Batch) => boolean): RequestStore {
  let hasLost = false
  const calls = Object.entries(store).map(([name, call]) => [
    name,
    async (...args: never[]) => {
      if (hasLost) throw new Error('The primary is gone')
      if (name !== 'save' || !isLost(args[0] as unknown as Batch))
        return (call as (...values: never[]) => Promise<unknown>)(...args)
      hasLost = true
      return 'saved'
    },
  ])
  return { ...(Object.fromEntries(calls) as RequestStore), health: store.health }
}
