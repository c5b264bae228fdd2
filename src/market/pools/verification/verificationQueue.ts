import type { BlockId } from '#src/chains/chainEvent.ts'
import type { Log } from '#src/config/log.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { poolIdOf } from '#src/core/pools/poolKind.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { marketKindOf } from '#src/market/kinds/kinds.ts'
import type { Difference, FactoryRefusals } from './factoryRefusals.ts'

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

/** The pools of a chain whose known state differed from the chain. */
export type Differences = Readonly<{
  /** Logs a difference that was found at the block. */
  report: (difference: Omit<Difference, 'at'>, block: BlockId) => void
  /**
   * Searches the cause of the reported differences. If a node fails to return logs, the next call continues there.
   * @returns whether a factory was refused.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails.
   */
  inspect: () => Promise<boolean>
}>

type Deps = Readonly<{
  log: Log
  refusals: FactoryRefusals
  /** Called for each difference. */
  onDifference: () => void
}>

/** Bounds the differences without a known cause, which accumulate while no node returns logs. */
const maxSuspects = 16

export function createDifferences(
  { log, refusals, onDifference }: Deps,
  chainId: ChainId,
): Differences {
  const suspects: Difference[] = []

  return {
    report: (found, { number, hash: blockHash }) => {
      onDifference()
      const { known, onChain } = found
      const difference = poolDifference(known, onChain)
      log.warn(
        { chainId, pool: poolIdOf(known), blockHash, difference },
        'A pool differs from the chain',
      )
      suspects.push({ ...found, at: number })
      if (suspects.length > maxSuspects) suspects.shift()
    },
    inspect: async () => {
      let hasRefused = false
      for (let suspect = suspects[0]; suspect !== undefined; suspect = suspects[0]) {
        hasRefused = (await refusals.inspect(suspect)) || hasRefused
        suspects.shift()
      }
      return hasRefused
    },
  }
}

/** Limits the size of a log line. */
const maxFields = 10

/** The differences between two states of one pool, by field, for the log. */
function poolDifference(known: Pool, onChain: Pool): Readonly<Record<string, string>> {
  const before = marketKindOf(known).fields(known)
  const after = marketKindOf(onChain).fields(onChain)
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const different = names.filter((name) => before.get(name) !== after.get(name))
  return Object.fromEntries(
    different
      .slice(0, maxFields)
      .map((name) => [name, `${before.get(name)} here, ${after.get(name)} on chain`]),
  )
}
