import type { Hint } from '#src/requests/requestStore.ts'

type Hash = `0x${string}`
export type Watched = Pick<Hint, 'txHash' | 'requestId'>
type Entry = Watched & Readonly<{ until: number; dueAt: bigint | undefined }>

/** Transactions to be looked at again: when a block holds them, or at a height. */
export type WatchList = Readonly<{
  /** `dueAt`: the height at which it is looked at wherever it is. */
  add: (watched: Watched, dueAt?: bigint) => void
  remove: (watched: Watched) => void
  size: () => number
  /** Those that are among these of a new block, or due at its height. */
  due: (hashes: readonly Hash[], height: bigint) => readonly Watched[]
  all: () => readonly Watched[]
}>

/** What is in no block after so long may be sent anew by whom it concerns, and is then told of again. */
const watchMs = 15 * 60_000
/** Anybody may fill the list: the oldest make room. A transaction takes about 300 bytes. */
const mostWatched = 10_000

/** `now`: milliseconds of any clock. */
export function createWatchList(now: () => number): WatchList {
  const entries = new Map<string, Entry>()
  const keyOf = ({ txHash, requestId = '0x' }: Watched) => `${txHash}${requestId}`

  function dropOld(): void {
    for (const [key, { until }] of entries) {
      if (until > now() && entries.size <= mostWatched) return
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
      const held = new Set(hashes)
      return [...entries.values()].filter(
        ({ txHash, dueAt }) => held.has(txHash) || (dueAt !== undefined && dueAt <= height),
      )
    },
    all: () => [...entries.values()].map(({ until: _, dueAt: __, ...watched }) => watched),
  }
}
