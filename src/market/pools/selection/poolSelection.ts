import type { LoggedBlock } from '#src/chains/chainEvent.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolKind.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import type { Usd } from '#src/core/units/usd.ts'
import type { DiscoveredPool, Factory } from '#src/market/kinds/kinds.ts'
import type { TrackedPools } from '#src/market/pools/chainPools.ts'
import type { FoundPools } from '#src/market/pools/discovery/discoverPools.ts'
import { parsePoolCreations } from '#src/market/pools/discovery/poolCreations.ts'
import {
  createVerificationQueue,
  type VerificationQueue,
} from '#src/market/pools/verification/verificationQueue.ts'
import { createDemand, createPoolRanking, type Demand, type PoolRanking } from './poolRanking.ts'
import { readDepths, readsFor, type TrustedPrices } from './readDepths.ts'

/** The schedule of depth checks. */
export type DepthChecks = Readonly<{
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
}>

/** The pools that the first read of a market selects from. */
export type NewSelection = Readonly<{
  add: (found: FoundPools) => void
  /** Number of known pools, followed or not. */
  knownCount: () => number
  /** Number of pools whose depth was not checked yet. */
  uncheckedCount: () => number
  checkDepths: DepthChecks['checkDepths']
}>

type Deps = Readonly<{
  client: ChainClient
  pools: TrackedPools
  /** The prices from feeds at the head. */
  trustedPrices: () => Promise<TrustedPrices>
  /** A monotonic clock, in milliseconds. */
  now: () => number
}>

type Chain = Readonly<{
  factories: readonly Factory[]
  minPoolUsd: Usd
  maxPools?: number | undefined
  verifyEverySeconds: number
  wrappedNative: Address
}>

/** Contract calls in one multicall. */
const readsPerCheck = 500
/** Bounds the work for a requested currency: depth checks of at most 100 pools, of which the 4 deepest are followed. */
const maxPoolsPerDemand = 4
const maxChecksPerDemand = 100

/**
 * Selects the pools of a chain to follow: the pools of configured pairs, the deep enough pools of whole factories, and
 * pools of currencies that callers request. Other pools have no stored state. If neither `minPoolUsd` nor `maxPools` is
 * configured, all pools are followed.
 */
export class PoolSelection implements DepthChecks, NewSelection {
  readonly #deps: Deps
  readonly #chain: Chain
  readonly #followsAll: boolean
  readonly #known = new Map<PoolId, DiscoveredPool>()
  readonly #poolsOf = new Map<Address, DiscoveredPool[]>()
  /** The pools of configured pairs. */
  readonly #configured = new Set<PoolId>()
  readonly #ranking: PoolRanking
  readonly #demand: Demand
  readonly #followed = new Set<PoolId>()
  /** Number of followed pools of each currency. */
  readonly #followedOf = new Map<Address, number>()
  readonly #queue: VerificationQueue<PoolId>
  readonly #unchecked = new Set<PoolId>()
  /**
   * Depths since the last ranking. Those of new pools are ranked together: else shallow early pools would take places
   * of deeper ones.
   */
  #pendingDepths = new Map<PoolId, Usd>()

  constructor(deps: Deps, chain: Chain) {
    const { minPoolUsd, maxPools, verifyEverySeconds } = chain
    const { now } = deps
    this.#deps = deps
    this.#chain = chain
    this.#followsAll = minPoolUsd === 0n && maxPools === undefined
    this.#ranking = createPoolRanking({ minUsd: minPoolUsd, maxPools })
    this.#demand = createDemand({ now })
    this.#queue = createVerificationQueue<PoolId>({ now }, verifyEverySeconds * 1000)
  }

  add({ ofPairs, ofFactories }: FoundPools): void {
    for (const pool of ofPairs) this.#configured.add(poolIdOf(pool))
    // A factory may be configured twice: with pairs, and without.
    const found = new Map([...ofFactories, ...ofPairs].map((pool) => [poolIdOf(pool), pool]))
    for (const [id, pool] of found) {
      if (this.#known.has(id)) continue
      this.#learn(pool)
      if (!this.#isWanted(id)) this.#unchecked.add(id)
    }
    // A reorg may have undone the creation of a followed pool, which is then read again.
    this.#deps.pools.add([...found.values()].filter((pool) => this.#followed.has(poolIdOf(pool))))
    this.#reconcile([...found.keys()])
  }

  /** Adds the pools that the block created. */
  apply({ logs }: LoggedBlock): void {
    for (const factory of this.#chain.factories) {
      const created = parsePoolCreations(factory, logs)
      if (created.length === 0) continue
      if (factory.pairs.length > 0) this.add({ ofPairs: created, ofFactories: [] })
      else this.add({ ofPairs: [], ofFactories: created })
    }
  }

  knownCount(): number {
    return this.#known.size
  }

  uncheckedCount(): number {
    return this.#unchecked.size
  }

  checkInMs(): number {
    if (this.#unchecked.size > 0 || this.#demand.next() !== undefined) return 0
    return this.#queue.waitMs()
  }

  async checkDepths(maxReads = readsPerCheck): Promise<boolean> {
    const hash = this.#deps.pools.head()?.hash
    if (hash === undefined) return false
    const prices = await this.#deps.trustedPrices()
    const hasLeft = this.#reconcile(this.#demand.release())
    const asked = this.#demand.next()
    const isChanged =
      asked === undefined
        ? await this.#checkNext(maxReads, prices, hash)
        : await this.#followAsked(asked, prices, hash)
    return hasLeft || isChanged
  }

  /**
   * Requests the pools of a currency, without any read. Returns whether its pools will be read: false if they are
   * followed and read already, if no known pool has the currency, or if too many other currencies are requested.
   */
  ask(given: Address): boolean {
    const currency = given === nativeAddress ? this.#chain.wrappedNative : given
    const own = this.#demand.renew(currency)
    if (own !== undefined) return own.some((pool) => this.#deps.pools.isAwaited(pool))
    if (
      this.#followsAll ||
      (this.#followedOf.get(currency) ?? 0) > 0 ||
      !this.#poolsOf.has(currency)
    )
      return false
    return this.#demand.queue(currency)
  }

  #isWanted(pool: PoolId): boolean {
    return (
      this.#followsAll ||
      this.#configured.has(pool) ||
      this.#ranking.has(pool) ||
      this.#demand.has(pool)
    )
  }

  /** Follows the wanted pools among `changed`, and no longer follows the others. @returns whether the graph changed. */
  #reconcile(changed: readonly PoolId[]): boolean {
    const switched = [...new Set(changed)].filter(
      (pool) => this.#followed.has(pool) !== this.#isWanted(pool),
    )
    const joined = switched.filter((pool) => !this.#followed.has(pool))
    const left = switched.filter((pool) => this.#followed.has(pool))
    for (const pool of joined) this.#count(pool, 1)
    for (const pool of left) this.#count(pool, -1)
    this.#deps.pools.add(joined.flatMap((pool) => this.#known.get(pool) ?? []))
    if (left.length > 0) this.#deps.pools.remove(left)
    return left.length > 0
  }

  #count(id: PoolId, by: 1 | -1): void {
    if (by === 1) this.#followed.add(id)
    else this.#followed.delete(id)
    const pool = this.#known.get(id)
    if (pool === undefined) return
    for (const currency of [pool.currency0, pool.currency1])
      this.#followedOf.set(currency, (this.#followedOf.get(currency) ?? 0) + by)
  }

  #learn(pool: DiscoveredPool): void {
    this.#known.set(poolIdOf(pool), pool)
    if (this.#followsAll) return
    for (const currency of [pool.currency0, pool.currency1]) {
      const others = this.#poolsOf.get(currency)
      if (others === undefined) this.#poolsOf.set(currency, [pool])
      else others.push(pool)
    }
  }

  /** The next pools to check with at most `maxReads` contract calls. */
  #nextPools(maxReads: number, prices: TrustedPrices): readonly DiscoveredPool[] {
    const chosen: DiscoveredPool[] = []
    let reads = 0
    for (const id of this.#unchecked.size > 0 ? this.#unchecked : this.#queue.due(maxReads)) {
      const pool = this.#known.get(id)
      if (pool === undefined) continue
      reads += readsFor(pool, prices)
      if (reads > maxReads) break
      chosen.push(pool)
    }
    return chosen
  }

  async #checkNext(maxReads: number, prices: TrustedPrices, hash: `0x${string}`): Promise<boolean> {
    const chosen = this.#nextPools(maxReads, prices)
    const depths = await readDepths(this.#deps.client, chosen, prices, hash)
    for (const id of chosen.map(poolIdOf)) {
      if (!this.#unchecked.delete(id)) this.#queue.verified(id)
      this.#queue.add(id)
    }
    for (const [pool, depth] of depths) this.#pendingDepths.set(pool, depth)
    if (this.#unchecked.size > 0) return false
    const { joined, left } = this.#ranking.judge(this.#pendingDepths)
    this.#pendingDepths = new Map()
    return this.#reconcile([...joined, ...left])
  }

  /** Follows the deepest pools that connect a currency to trusted or followed currencies. */
  async #followAsked(
    currency: Address,
    prices: TrustedPrices,
    hash: `0x${string}`,
  ): Promise<boolean> {
    const candidates = this.#partnersOf(currency, prices).slice(0, maxChecksPerDemand)
    const depths = await readDepths(this.#deps.client, candidates, prices, hash)
    const depthOf = (pool: DiscoveredPool) => Number(depths.get(poolIdOf(pool)) ?? 1n)
    const chosen = candidates
      .filter((pool) => depthOf(pool) > 0)
      .sort((one, other) => depthOf(other) - depthOf(one))
      .slice(0, maxPoolsPerDemand)
      .map(poolIdOf)
    this.#demand.follow(currency, chosen)
    return this.#reconcile([...chosen, ...this.#demand.release()])
  }

  /** The pools of a currency against trusted currencies, then its pools against other followed currencies. */
  #partnersOf(currency: Address, prices: TrustedPrices): readonly DiscoveredPool[] {
    const partner = ({ currency0, currency1 }: DiscoveredPool) =>
      currency0 === currency ? currency1 : currency0
    const all = this.#poolsOf.get(currency) ?? []
    const trusted = all.filter((pool) => prices.has(partner(pool)))
    const others = all.filter(
      (pool) => !prices.has(partner(pool)) && (this.#followedOf.get(partner(pool)) ?? 0) > 0,
    )
    return [...trusted, ...others]
  }
}
