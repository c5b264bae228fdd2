import type { PoolId } from '#src/core/pools/poolIdentity.ts'
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
