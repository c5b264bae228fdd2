import type { PoolId } from '#src/core/pools/poolIdentity.ts'
import type { Address } from '#src/core/units/address.ts'

/** The currencies whose pools are followed because callers requested them. Their number and time are bounded. */
export type Demand = Readonly<{
  /** Whether the pool is followed for a requested currency. */
  has: (pool: PoolId) => boolean
  /** The pools of the currency, and restarts its idle time. Undefined if the currency is not followed. */
  renew: (currency: Address) => readonly PoolId[] | undefined
  /**
   * Adds the currency to the queue. False if the queue is full, or if every followed currency is too recent to be
   * replaced.
   */
  queue: (currency: Address) => boolean
  /** The first currency of the queue. It stays there until `follow`. */
  next: () => Address | undefined
  /**
   * Follows the currency by these pools. If all places are taken, it replaces the least recently requested currency.
   */
  follow: (currency: Address, pools: readonly PoolId[]) => void
  /**
   * Removes currencies that nobody has requested for an hour.
   * @returns the pools of all currencies removed since the last call.
   */
  release: () => readonly PoolId[]
}>

/** Bounds the reads that callers cause, even if a caller requests every currency. */
const maxWaiting = 16
const maxFollowed = 64
/** Minimum time for which a currency keeps its place. */
const minStayMs = 600_000
/** A currency is removed if nobody requests it for an hour. */
const maxIdleMs = 3_600_000

type Followed = { pools: readonly PoolId[]; since: number; askedAt: number }

export function createDemand({ now }: Readonly<{ now: () => number }>): Demand {
  const waiting = new Set<Address>()
  /** The least recently requested currency first. */
  const followed = new Map<Address, Followed>()
  /** Pools of the currencies that were removed since the last `release`. */
  let released: PoolId[] = []

  const end = (currency: Address): void => {
    released.push(...(followed.get(currency)?.pools ?? []))
    followed.delete(currency)
  }

  /** The currencies that may be replaced. */
  const replaceable = () =>
    [...followed]
      .filter(([, { since }]) => since + minStayMs <= now())
      .map(([currency]) => currency)

  return {
    has: (pool) => [...followed.values()].some(({ pools }) => pools.includes(pool)),
    renew(currency) {
      const known = followed.get(currency)
      if (known === undefined) return undefined
      known.askedAt = now()
      followed.delete(currency)
      followed.set(currency, known)
      return known.pools
    },
    queue(currency) {
      if (waiting.has(currency)) return true
      const places = maxFollowed - followed.size + replaceable().length - waiting.size
      if (waiting.size >= maxWaiting || places <= 0) return false
      waiting.add(currency)
      return true
    },
    next: () => waiting.values().next().value,
    follow(currency, pools) {
      waiting.delete(currency)
      const [replaced] = replaceable()
      if (followed.size >= maxFollowed && replaced !== undefined) end(replaced)
      followed.set(currency, { pools, since: now(), askedAt: now() })
    },
    release() {
      for (const [currency, { askedAt }] of followed) {
        if (askedAt + maxIdleMs > now()) break
        end(currency)
      }
      const gone = released
      released = []
      return gone
    },
  }
}
