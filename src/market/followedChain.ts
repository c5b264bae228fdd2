import type { ChainConfig } from '#src/config/config.ts'
import { AppError } from '#src/core/errors.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import { blockAgeMs, type Freshness, freshnessOf } from './freshness.ts'
import type { ChainStatus, MarketFollower, Snapshot } from './marketFollower.ts'
import { refuseOutage } from './prices/sequencer.ts'

/** A configured chain with the follower of its market. */
export class FollowedChain {
  readonly follower: MarketFollower
  readonly #chain: ChainConfig
  /** The time of day on the chain, in milliseconds since 1970. */
  readonly #time: () => number

  constructor(follower: MarketFollower, chain: ChainConfig, time: () => number) {
    this.follower = follower
    this.#chain = chain
    this.#time = time
  }

  /** @throws AppError SERVICE_UNAVAILABLE before the first snapshot; STALE_MARKET */
  current(): ChainMarket {
    const { id: chainId, displayName } = this.#chain
    const latest = this.follower.latest()
    if (latest === undefined)
      throw new AppError('SERVICE_UNAVAILABLE', `The market of ${displayName} is not ready yet`, {
        chainId,
      })
    const { refusal } = this.#freshness(latest)
    if (refusal !== undefined) throw refusal
    return latest.market
  }

  /** @throws as `current`, and SERVICE_UNAVAILABLE while prices of the chain are not trusted */
  refuseUnpriced(): void {
    refuseOutage(this.current(), this.#chain.displayName)
  }

  /** Milliseconds since the timestamp of a block; 0 for one that is dated in the future. */
  ageMs(timestamp: bigint): number {
    return Math.max(0, blockAgeMs(this.#chain, timestamp, this.#time()))
  }

  status(): ChainStatus {
    const { follower } = this
    const latest = follower.latest()
    return {
      chainId: this.#chain.id,
      head: latest && this.#headOf(latest),
      ...follower.counts(),
      refusedFactories: follower.refusedFactories(),
      feed: follower.reception?.(),
    }
  }

  #headOf(latest: Snapshot): NonNullable<ChainStatus['head']> {
    const { market, trackedPools } = latest
    const { ageMs, lagBlocks, refusal } = this.#freshness(latest)
    return {
      ...market.block,
      ageSeconds: ageMs / 1000,
      lagBlocks,
      staleReason: refusal?.message,
      pools: trackedPools,
      routedPools: market.graph.pools.length,
      refusedCurrencies: market.refusedCurrencies.size,
    }
  }

  #freshness({ market }: Snapshot): Freshness {
    return freshnessOf(this.#chain, market.block, {
      time: this.#time(),
      announced: this.follower.announced(),
      silentMs: this.follower.reception?.().silentMs,
    })
  }
}
