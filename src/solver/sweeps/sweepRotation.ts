import type { WatchedAddress } from '#src/requests/watchedAddress.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'

/** Addresses per read of the store. Their balances take one multicall. */
const windowSize = 500
/** Target time of one rotation. With a call at least every 10 s, each address is read within a minute. */
const rotationMs = 40_000

/**
 * Rotates through all watched addresses of a chain. Each call returns all addresses if they are few, else enough of
 * them to complete a rotation in less than a minute.
 */
export function createSweepRotation(
  { store, now }: Pick<SolverDeps, 'store' | 'now'>,
  { chain }: Pick<SolverChain, 'chain'>,
): Readonly<{ next: () => Promise<readonly WatchedAddress[]> }> {
  /** The last address of the last window; undefined if the rotation starts again. */
  let after: string | undefined
  /** Addresses in the last complete rotation, and so far in this one. The first rotation takes a single call. */
  let known = Number.POSITIVE_INFINITY
  let seen = 0
  let lastCallAt = Number.NEGATIVE_INFINITY

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
      const elapsed = Math.min(now() - lastCallAt, rotationMs)
      const due = (known * elapsed) / rotationMs
      const found: WatchedAddress[] = []
      do found.push(...(await nextWindow()))
      while (after !== undefined && found.length < due)
      lastCallAt = now()
      return found
    },
  }
}
