/** The order of verifications: alternates between the most recently traded key and the key that has waited longest. */
export type VerificationQueue<Key> = Readonly<{
  /** Adds a key that was just read from the chain. Does nothing for a known key. */
  add: (key: Key) => void
  remove: (key: Key) => void
  /** Records a trade, so that the key is verified sooner. */
  trade: (key: Key) => void
  /** Up to `max` keys that are due. They stay due until they are verified. */
  due: (max: number) => readonly Key[]
  verified: (key: Key) => void
  /** Milliseconds until the next key is due; infinite without keys. */
  waitMs: () => number
}>

/** A key that was traded is verified up to this many times as often as the others. */
const tradedFactor = 10

/** @param everyMs interval at which each key is due. */
export function createVerificationQueue<Key>(
  { now }: Readonly<{ now: () => number }>,
  everyMs: number,
): VerificationQueue<Key> {
  /** Time of each key's last verification, the oldest first. */
  const verifiedAt = new Map<Key, number>()
  /** The keys that were traded since their last verification, the most recently traded last. */
  const traded = new Set<Key>()
  /**
   * Cached time of the oldest verification of a traded key, infinite without one. Undefined if it must be computed
   * again.
   */
  let oldestTraded: number | undefined = Number.POSITIVE_INFINITY
  const dueAt = (key: Key, interval: number) => (verifiedAt.get(key) ?? 0) + interval

  function findOldestTraded(): number {
    let oldest = Number.POSITIVE_INFINITY
    for (const key of traded) oldest = Math.min(oldest, verifiedAt.get(key) ?? 0)
    return oldest
  }

  /** Called when a key is verified or removed. */
  function endTrade(key: Key): void {
    if (traded.delete(key) && verifiedAt.get(key) === oldestTraded) oldestTraded = undefined
  }

  function* dueTraded(): Generator<Key> {
    for (const key of [...traded].reverse())
      if (dueAt(key, everyMs / tradedFactor) <= now()) yield key
  }

  function* dueOthers(): Generator<Key> {
    for (const [key, at] of verifiedAt) {
      if (at + everyMs > now()) return
      yield key
    }
  }

  return {
    add: (key) => {
      if (!verifiedAt.has(key)) verifiedAt.set(key, now())
    },
    remove: (key) => {
      endTrade(key)
      verifiedAt.delete(key)
    },
    trade: (key) => {
      const at = verifiedAt.get(key)
      if (at === undefined) return
      traded.delete(key)
      traded.add(key)
      if (oldestTraded !== undefined) oldestTraded = Math.min(oldestTraded, at)
    },
    due: (max) => {
      const found = new Set<Key>()
      const queues = [dueTraded(), dueOthers()]
      while (queues.length > 0 && found.size < max) {
        const queue = queues.shift()
        // Both queues may name the same key.
        const next = queue?.next()
        if (queue === undefined || next === undefined || next.done) continue
        found.add(next.value)
        queues.push(queue)
      }
      return [...found]
    },
    verified: (key) => {
      endTrade(key)
      if (verifiedAt.delete(key)) verifiedAt.set(key, now())
    },
    waitMs: () => {
      const [oldest] = verifiedAt.keys()
      if (oldest === undefined) return Number.POSITIVE_INFINITY
      oldestTraded ??= findOldestTraded()
      const next = Math.min(dueAt(oldest, everyMs), oldestTraded + everyMs / tradedFactor)
      return Math.max(0, next - now())
    },
  }
}
