import type { Hash } from 'viem'
import type { Hint } from '#src/requests/requestStore.ts'

/** A transaction to inspect, and the request that it was named for, if any. */
export type Watched = Pick<Hint, 'txHash' | 'requestId'>
type Entry = Watched & Readonly<{ until: number; dueAt: bigint | undefined }>

/** Transactions to inspect again once a block contains them, or at a given height. */
export type WatchList = Readonly<{
  /** `dueAt`: the height at which the transaction is inspected in any case. */
  add: (watched: Watched, dueAt?: bigint) => void
  remove: (watched: Watched) => void
  size: () => number
  /** The entries whose transaction a new block contains, or that are due at its height. */
  due: (hashes: readonly Hash[], height: bigint) => readonly Watched[]
  all: () => readonly Watched[]
}>

/** A transaction that no block contains after this time is dropped. Its client can name it again. */
const watchMs = 15 * 60_000
/** Anybody can add entries, of about 300 bytes each. Beyond this number the oldest are dropped. */
const maxWatched = 10_000

/** `now`: milliseconds of any clock. */
export function createWatchList(now: () => number): WatchList {
  const entries = new Map<string, Entry>()
  const keyOf = ({ txHash, requestId = '0x' }: Watched) => `${txHash}${requestId}`

  function dropOld(): void {
    for (const [key, { until }] of entries) {
      if (until > now() && entries.size <= maxWatched) return
      entries.delete(key)
    }
  }

  return {
    add: ({ txHash, requestId }, dueAt) => {
      const watched = { txHash, ...(requestId && { requestId }) }
      const until = entries.get(keyOf(watched))?.until ?? now() + watchMs
      entries.set(keyOf(watched), { ...watched, until, dueAt })
      dropOld()
    },
    remove: (watched) => void entries.delete(keyOf(watched)),
    size: () => entries.size,
    due: (hashes, height) => {
      dropOld()
      const included = new Set(hashes)
      return [...entries.values()].filter(
        ({ txHash, dueAt }) => included.has(txHash) || (dueAt !== undefined && dueAt <= height),
      )
    },
    all: () => [...entries.values()].map(({ until: _, dueAt: __, ...watched }) => watched),
  }
}
