import type { PoolId } from '#src/core/pools/poolKind.ts'
import type { Address } from '#src/core/units/address.ts'
import type { Usd } from '#src/core/units/usd.ts'

/** The pools that are selected by depth: the `maxPools` deepest pools of at least `minUsd`. */
export type PoolRanking = Readonly<{
  has: (pool: PoolId) => boolean
  /**
   * Updates the ranking by new depths. A pool leaves after two consecutive depths below half of `minUsd`, or when a
   * pool that is more than twice as deep replaces it. This hysteresis prevents cheap manipulation. While places are
   * free, the deepest new pools fill them.
   * @returns the pools that joined and those that left.
   */
  judge: (depths: ReadonlyMap<PoolId, Usd>) => Readonly<{ joined: PoolId[]; left: PoolId[] }>
}>

type Ranked = { depth: Usd; wasShallow: boolean }

export function createPoolRanking({
  minUsd,
  maxPools = Number.POSITIVE_INFINITY,
}: Readonly<{ minUsd: Usd; maxPools?: number | undefined }>): PoolRanking {
  const ranked = new Map<PoolId, Ranked>()

  /** Returns whether the pool leaves. */
  function update(known: Ranked, depth: Usd): boolean {
    const isShallow = depth === 0n || depth * 2n < minUsd
    const leaves = isShallow && known.wasShallow
    known.depth = depth
    known.wasShallow = isShallow
    return leaves
  }

  return {
    has: (pool) => ranked.has(pool),
    judge(depths) {
      const left: PoolId[] = []
      const joined: PoolId[] = []
      const candidates: (readonly [PoolId, Usd])[] = []
      for (const [pool, depth] of depths) {
        const known = ranked.get(pool)
        if (known === undefined) {
          if (depth > 0n && depth >= minUsd) candidates.push([pool, depth])
        } else if (update(known, depth)) {
          ranked.delete(pool)
          left.push(pool)
        }
      }
      candidates.sort(deepestFirst)
      const shallowest = shallowestFirst(ranked)
      for (const [pool, depth] of candidates) {
        if (ranked.size >= maxPools) {
          const last = shallowest.next()
          if (last.done === true) break
          const [replaced, { depth: shallowestDepth }] = last.value
          if (depth <= 2n * shallowestDepth) break
          ranked.delete(replaced)
          left.push(replaced)
        }
        ranked.set(pool, { depth, wasShallow: false })
        joined.push(pool)
      }
      return { joined, left }
    },
  }
}

/** The pool's id breaks ties, so that all processes choose the same pools. */
const deepestFirst = ([one, a]: readonly [PoolId, Usd], [other, b]: readonly [PoolId, Usd]) =>
  a === b ? one.localeCompare(other) : Number(b > a) - Number(a > b)

/** A generator, so that nothing is sorted while places are free. */
function* shallowestFirst(ranked: ReadonlyMap<PoolId, Ranked>): Generator<[PoolId, Ranked]> {
  yield* [...ranked].sort(([one, a], [other, b]) => deepestFirst([other, b.depth], [one, a.depth]))
}

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
