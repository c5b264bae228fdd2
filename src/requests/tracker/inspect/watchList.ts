import type { Hash } from 'viem'
import type { Hint } from '#src/requests/trackingStore.ts'
import { createFairShares } from './fairShares.ts'

/**
 * A transaction to inspect, with the request and the caller of its hint. Without a caller, the tracker itself added it.
 */
export type Watched = Omit<Hint, 'chainId'>
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

/** A transaction that no block contains after this time is dropped. Its client can hint it again. */
const watchMs = 15 * 60_000
/** Maximum number of entries, of about 400 bytes each: anybody can add them. */
export const maxWatched = 10_000

/** The request is part of the key: two callers may hint one transaction for different requests. */
export const keyOf = ({ txHash, requestId = '0x' }: Watched): string => `${txHash}${requestId}`
export const ownerOf = ({ caller = '' }: Watched): string => caller

/** Callers have fair shares of the list. `now`: any clock, in milliseconds. */
export function createWatchList(now: () => number): WatchList {
  const entries = createFairShares<Entry>(maxWatched)

  function dropOld(): void {
    for (const [key, { until }] of [...entries.entries()]) if (until <= now()) entries.delete(key)
  }

  return {
    add: (given, dueAt) => {
      const { txHash, requestId, caller } = given
      const watched = { txHash, ...(requestId && { requestId }), ...(caller && { caller }) }
      const key = keyOf(watched)
      const until = entries.get(key)?.until ?? now() + watchMs
      entries.set(ownerOf(watched), key, { ...watched, until, dueAt })
    },
    remove: (watched) => entries.delete(keyOf(watched)),
    size: () => entries.size(),
    due: (hashes, height) => {
      dropOld()
      const included = new Set(hashes)
      return [...entries.entries()]
        .map(([, entry]) => entry)
        .filter(
          ({ txHash, dueAt }) => included.has(txHash) || (dueAt !== undefined && dueAt <= height),
        )
    },
    all: () => [...entries.entries()].map(([, { until: _, dueAt: __, ...watched }]) => watched),
  }
}
