import type { LoggedBlock } from '#src/chains/chainEvent.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config/config.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolIdentity.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import type { Usd } from '#src/core/units/usd.ts'
import type { DiscoveredPool } from '#src/market/kinds/kinds.ts'
import type { ChainPools } from '#src/market/pools/chainPools.ts'
import { parsePoolCreations } from '#src/market/pools/discovery/discoveredPool.ts'
import type { FoundPools } from '#src/market/pools/discovery/discoverPools.ts'
import { createVerificationQueue } from '#src/market/pools/verification/verificationQueue.ts'
import { createDemand } from './demand.ts'
import { createPoolRanking } from './poolRanking.ts'
import { readDepths, readsFor, type TrustedPrices } from './readDepths.ts'

/**
 * Selects the pools of a chain to follow: the pools of configured pairs, the deep enough pools of whole factories, and
 * pools of currencies that callers request. Other pools have no stored state. If neither `minPoolUsd` nor `maxPools` is
 * configured, all pools are followed.
 */
export type PoolSelection = Readonly<{
  add: (found: FoundPools) => void
  /** Adds the pools that the block created. */
  apply: (block: LoggedBlock) => void
  /** Number of known pools, followed or not. */
  knownCount: () => number
  /** Number of pools whose depth was not checked yet. */
  uncheckedCount: () => number
  /** Milliseconds until `checkDepths` has work. */
  checkInMs: () => number
  /**
   * Reads the depths of due pools at the head of the chain, and follows the deep ones. A requested currency goes first,
   * then new pools, then the pools whose check is the oldest.
   * @param maxReads maximum number of contract calls. Up to 500 fit into one request.
   * @returns whether the graph changed.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails. The same pools then stay due.
   */
  checkDepths: (maxReads?: number) => Promise<boolean>
  /**
   * Requests the pools of a currency, without any read. Returns whether its pools will be read: false if they are
   * followed and read already, if no known pool has the currency, or if too many other currencies are requested.
   */
  ask: (currency: Address) => boolean
}>

type Deps = Readonly<{
  client: ChainClient
  pools: Pick<ChainPools, 'add' | 'remove' | 'head' | 'isAwaited'>
  /** The prices from feeds at the head. */
  trustedPrices: () => Promise<TrustedPrices>
  /** A monotonic clock, in milliseconds. */
  now: () => number
}>

/** Contract calls in one multicall. */
const readsPerCheck = 500
/** Bounds the work for a requested currency: depth checks of at most 100 pools, of which the 4 deepest are followed. */
const maxPoolsPerDemand = 4
const maxChecksPerDemand = 100

export function createPoolSelection(
  { client, pools, trustedPrices, now }: Deps,
  chain: Pick<
    ChainConfig,
    'factories' | 'minPoolUsd' | 'maxPools' | 'verifyEverySeconds' | 'wrappedNative'
  >,
): PoolSelection {
  const { factories, minPoolUsd, maxPools, verifyEverySeconds, wrappedNative } = chain
  const followsAll = minPoolUsd === 0n && maxPools === undefined
  const known = new Map<PoolId, DiscoveredPool>()
  const poolsOf = new Map<Address, DiscoveredPool[]>()
  /** The pools of configured pairs. */
  const configured = new Set<PoolId>()
  const ranking = createPoolRanking({ minUsd: minPoolUsd, maxPools })
  const demand = createDemand({ now })
  const followed = new Set<PoolId>()
  /** Number of followed pools of each currency. */
  const followedOf = new Map<Address, number>()
  const queue = createVerificationQueue<PoolId>({ now }, verifyEverySeconds * 1000)
  const unchecked = new Set<PoolId>()
  /**
   * Depths since the last ranking. Those of new pools are ranked together: else shallow early pools would take places
   * of deeper ones.
   */
  let pendingDepths = new Map<PoolId, Usd>()

  const isWanted = (pool: PoolId) =>
    followsAll || configured.has(pool) || ranking.has(pool) || demand.has(pool)

  /** Follows the wanted pools among `changed`, and no longer follows the others. @returns whether the graph changed. */
  function reconcile(changed: readonly PoolId[]): boolean {
    const switched = [...new Set(changed)].filter((pool) => followed.has(pool) !== isWanted(pool))
    const joined = switched.filter((pool) => !followed.has(pool))
    const left = switched.filter((pool) => followed.has(pool))
    for (const pool of joined) note(pool, 1)
    for (const pool of left) note(pool, -1)
    pools.add(joined.flatMap((pool) => known.get(pool) ?? []))
    if (left.length > 0) pools.remove(left)
    return left.length > 0
  }

  function note(id: PoolId, by: 1 | -1): void {
    if (by === 1) followed.add(id)
    else followed.delete(id)
    const pool = known.get(id)
    if (pool === undefined) return
    for (const currency of [pool.currency0, pool.currency1])
      followedOf.set(currency, (followedOf.get(currency) ?? 0) + by)
  }

  function learn(pool: DiscoveredPool): void {
    known.set(poolIdOf(pool), pool)
    if (followsAll) return
    for (const currency of [pool.currency0, pool.currency1]) {
      const others = poolsOf.get(currency)
      if (others === undefined) poolsOf.set(currency, [pool])
      else others.push(pool)
    }
  }

  function add({ ofPairs, ofFactories }: FoundPools): void {
    for (const pool of ofPairs) configured.add(poolIdOf(pool))
    // A factory may be configured twice: with pairs, and without.
    const found = new Map([...ofFactories, ...ofPairs].map((pool) => [poolIdOf(pool), pool]))
    for (const [id, pool] of found) {
      if (known.has(id)) continue
      learn(pool)
      if (!isWanted(id)) unchecked.add(id)
    }
    // A reorg may have undone the creation of a followed pool, which is then read again.
    pools.add([...found.values()].filter((pool) => followed.has(poolIdOf(pool))))
    reconcile([...found.keys()])
  }

  /** The next pools to check with at most `maxReads` contract calls. */
  function nextPools(maxReads: number, prices: TrustedPrices): readonly DiscoveredPool[] {
    const chosen: DiscoveredPool[] = []
    let reads = 0
    for (const id of unchecked.size > 0 ? unchecked : queue.due(maxReads)) {
      const pool = known.get(id)
      if (pool === undefined) continue
      reads += readsFor(pool, prices)
      if (reads > maxReads) break
      chosen.push(pool)
    }
    return chosen
  }

  async function checkNext(maxReads: number, prices: TrustedPrices, hash: `0x${string}`) {
    const chosen = nextPools(maxReads, prices)
    const depths = await readDepths(client, chosen, prices, hash)
    for (const id of chosen.map(poolIdOf)) {
      if (!unchecked.delete(id)) queue.verified(id)
      queue.add(id)
    }
    for (const [pool, depth] of depths) pendingDepths.set(pool, depth)
    if (unchecked.size > 0) return false
    const { joined, left } = ranking.judge(pendingDepths)
    pendingDepths = new Map()
    return reconcile([...joined, ...left])
  }

  /** Follows the deepest pools that connect a currency to trusted or followed currencies. */
  async function followAsked(currency: Address, prices: TrustedPrices, hash: `0x${string}`) {
    const candidates = partnersOf(currency, prices).slice(0, maxChecksPerDemand)
    const depths = await readDepths(client, candidates, prices, hash)
    const depthOf = (pool: DiscoveredPool) => Number(depths.get(poolIdOf(pool)) ?? 1n)
    const chosen = candidates
      .filter((pool) => depthOf(pool) > 0)
      .sort((one, other) => depthOf(other) - depthOf(one))
      .slice(0, maxPoolsPerDemand)
      .map(poolIdOf)
    demand.follow(currency, chosen)
    return reconcile([...chosen, ...demand.release()])
  }

  /** The pools of a currency against trusted currencies, then its pools against other followed currencies. */
  function partnersOf(currency: Address, prices: TrustedPrices): readonly DiscoveredPool[] {
    const partner = ({ currency0, currency1 }: DiscoveredPool) =>
      currency0 === currency ? currency1 : currency0
    const all = poolsOf.get(currency) ?? []
    const trusted = all.filter((pool) => prices.has(partner(pool)))
    const others = all.filter(
      (pool) => !prices.has(partner(pool)) && (followedOf.get(partner(pool)) ?? 0) > 0,
    )
    return [...trusted, ...others]
  }

  return {
    add,
    apply({ logs }) {
      for (const factory of factories) {
        const created = parsePoolCreations(factory, logs)
        if (created.length === 0) continue
        if (factory.pairs.length > 0) add({ ofPairs: created, ofFactories: [] })
        else add({ ofPairs: [], ofFactories: created })
      }
    },
    knownCount: () => known.size,
    uncheckedCount: () => unchecked.size,
    checkInMs: () => {
      if (unchecked.size > 0 || demand.next() !== undefined) return 0
      return queue.waitMs()
    },
    async checkDepths(maxReads = readsPerCheck) {
      const hash = pools.head()?.hash
      if (hash === undefined) return false
      const prices = await trustedPrices()
      const hasLeft = reconcile(demand.release())
      const asked = demand.next()
      const isChanged =
        asked === undefined
          ? await checkNext(maxReads, prices, hash)
          : await followAsked(asked, prices, hash)
      return hasLeft || isChanged
    },
    ask(given) {
      const currency = given === nativeAddress ? wrappedNative : given
      const own = demand.renew(currency)
      if (own !== undefined) return own.some(pools.isAwaited)
      if (followsAll || (followedOf.get(currency) ?? 0) > 0 || !poolsOf.has(currency)) return false
      return demand.queue(currency)
    },
  }
}
