import type { TxId } from '#src/core/units/txId.ts'
import type { Hint } from '#src/requests/trackingStore.ts'

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
  due: (hashes: readonly TxId[], height: bigint) => readonly Watched[]
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

/**
 * A bounded map with a fair share for each owner. When it is full, it drops the oldest entry of the owner with the most
 * entries, so that owners of many entries cannot displace those of owners with few.
 */
type FairShares<Value> = Readonly<{
  get: (key: string) => Value | undefined
  /**
   * Sets the value. A key of two owners counts for the one with fewer entries, so that nobody displaces another's key.
   */
  set: (owner: string, key: string, value: Value) => void
  delete: (key: string) => void
  size: () => number
  /** Oldest first, owner by owner. */
  entries: () => Iterable<readonly [key: string, value: Value]>
  /** Removes and returns an entry that `accepts` admits: round robin over the owners, the oldest of an owner first. */
  take: (accepts: (value: Value) => boolean) => Value | undefined
}>

export function createFairShares<Value>(maxEntries: number): FairShares<Value> {
  const ownerOf = new Map<string, string>()
  /** Entries by owner. `take` starts with the first owner. */
  const shares = new Map<string, Map<string, Value>>()

  const remove = (key: string): void => {
    const owner = ownerOf.get(key)
    if (owner === undefined) return
    ownerOf.delete(key)
    const share = shares.get(owner)
    share?.delete(key)
    if (share?.size === 0) shares.delete(owner)
  }

  const sizeOf = (owner: string): number => shares.get(owner)?.size ?? 0

  const dropOne = (): void => {
    let largest: Map<string, Value> | undefined
    for (const share of shares.values())
      if (largest === undefined || share.size > largest.size) largest = share
    const [oldest] = largest?.keys() ?? []
    if (oldest !== undefined) remove(oldest)
  }

  return {
    get: (key) => shares.get(ownerOf.get(key) ?? '')?.get(key),
    set: (owner, key, value) => {
      const before = ownerOf.get(key)
      const keeps = before !== undefined && sizeOf(before) <= sizeOf(owner)
      if (before !== undefined && !keeps) remove(key)
      const holder = keeps ? before : owner
      ownerOf.set(key, holder)
      shares.set(holder, (shares.get(holder) ?? new Map<string, Value>()).set(key, value))
      if (ownerOf.size > maxEntries) dropOne()
    },
    delete: remove,
    size: () => ownerOf.size,
    entries: function* () {
      for (const share of shares.values()) yield* share
    },
    take: (accepts) => {
      for (const [owner, share] of shares)
        for (const [key, value] of share) {
          if (!accepts(value)) continue
          remove(key)
          if (shares.delete(owner) && share.size > 0) shares.set(owner, share)
          return value
        }
      return undefined
    },
  }
}
