import type { PoolId } from '#src/pools/poolIdentity.ts'
import type { Address } from '#src/units/address.ts'

/** The currencies whose pools are followed because callers ask for them: a bounded number, for a bounded time. */
export type Demand = Readonly<{
  /** Whether the pool is followed for a currency. */
  has: (pool: PoolId) => boolean
  /** Pools of the currency, if it is followed already. It stays longer for it. */
  renew: (currency: Address) => readonly PoolId[] | undefined
  /** Has the currency wait for its turn. False if too many wait, or if every place is taken by one that came recently. */
  queue: (currency: Address) => boolean
  /** The currency whose turn it is. It waits until it is followed. */
  next: () => Address | undefined
  /** Follows the currency by these pools, in the place of the least recently asked one if there is no other. */
  follow: (currency: Address, pools: readonly PoolId[]) => void
  /** Ends what nobody has asked for any more. @returns the pools of the currencies that left. */
  release: () => readonly PoolId[]
}>

/** Each costs a few reads: a caller who asks for every currency there is waits like all others. */
const maxWaiting = 16
const maxFollowed = 64
/** A currency has its place for so long, whoever asks for others. */
const minStayMs = 600_000
/** A currency that nobody asks for leaves after an hour. */
const maxIdleMs = 3_600_000

type Followed = { pools: readonly PoolId[]; since: number; askedAt: number }

export function createDemand({ now }: Readonly<{ now: () => number }>): Demand {
  const waiting = new Set<Address>()
  /** The least recently asked first. */
  const followed = new Map<Address, Followed>()
  /** Pools that left since the last `release`. */
  let released: PoolId[] = []

  const end = (currency: Address): void => {
    released.push(...(followed.get(currency)?.pools ?? []))
    followed.delete(currency)
  }

  /** Number of currencies that others may take the place of. */
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
