import type { WatchedAddress } from '#src/requests/watchedAddress.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'

/** Addresses that are read together: their balances are one multicall. */
const windowSize = 500
/** A turn through all addresses takes about so long, so that each is seen within a minute, with a look every 10 s. */
const turnMs = 40_000

/**
 * Takes turns through all watched addresses of a chain. With few of them, each look has all; with many, each look has so
 * many that a turn takes less than a minute.
 */
export function createSweepRotation(
  { store, now }: Pick<SolverDeps, 'store' | 'now'>,
  { chain }: Pick<SolverChain, 'chain'>,
): Readonly<{ next: () => Promise<readonly WatchedAddress[]> }> {
  /** The last address of the last window; undefined where the turn starts anew. */
  let after: string | undefined
  /** Addresses of the last whole turn, and of the present one so far. The first turn is one look. */
  let known = Number.POSITIVE_INFINITY
  let seen = 0
  let lastLook = Number.NEGATIVE_INFINITY

  async function nextWindow(): Promise<readonly WatchedAddress[]> {
    const page = { ...(after !== undefined && { after }), limit: windowSize }
    const found = await store.watchedAddresses(chain.id, Math.floor(now() / 1000), page)
    seen += found.length
    const isLast = found.length < windowSize
    after = isLast ? undefined : found.at(-1)?.requestId
    if (isLast) [known, seen] = [seen, 0]
    return found
  }

  return {
    async next() {
      const elapsed = Math.min(now() - lastLook, turnMs)
      const due = (known * elapsed) / turnMs
      const found: WatchedAddress[] = []
      do found.push(...(await nextWindow()))
      while (after !== undefined && found.length < due)
      lastLook = now()
      return found
    },
  }
}
