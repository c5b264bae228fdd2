import { AppError } from '#src/core/errors.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { ChainStatus, MarketFollower, Snapshot } from './marketFollower.ts'
import type { FollowedFacts } from './otherChain.ts'
import { refuseOutage } from './prices/sequencer.ts'

/** A configured chain with the follower of its market. */
export class FollowedChain {
  readonly follower: MarketFollower
  readonly #chain: FollowedFacts
  /** The time of day on the chain, in milliseconds since 1970. */
  readonly #time: () => number

  constructor(follower: MarketFollower, chain: FollowedFacts, time: () => number) {
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

  /** The market while its prices are trusted. */
  priced(): ChainMarket | undefined {
    const latest = this.follower.latest()
    if (latest === undefined || this.#freshness(latest).refusal !== undefined) return undefined
    const { market } = latest
    return market.sequencer === undefined || market.sequencer.status === 'up' ? market : undefined
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

/** How current the market of a chain is, by the timestamp of its block. */
type Freshness = Readonly<{
  /** Age of the market's block, in milliseconds. Negative for a block that is dated in the future. */
  ageMs: number
  /** Number of blocks that a node has announced and the market does not have yet. */
  lagBlocks: bigint
  /** The STALE_MARKET error with the reason why prices are refused. Undefined for a current market. */
  refusal: AppError | undefined
}>

/** A block may be dated this far in the future: clocks of block producers differ, and timestamps are whole seconds. */
const maxFutureMs = 15_000

/**
 * A feed sends a heartbeat every two seconds, and a standby takes over after seven seconds. A feed that is silent for
 * longer may have missed any number of blocks.
 */
const maxSilenceMs = 15_000

/**
 * @param time The time of day on the chain, in milliseconds since 1970. `announced` is the newest height that a node
 * has reported. `silentMs` is the time since the last message of the feed, if the market comes from one.
 */
export function freshnessOf(
  chain: FollowedFacts,
  { number, timestamp }: ChainMarket['block'],
  {
    time,
    announced,
    silentMs = 0,
  }: Readonly<{ time: number; announced: bigint; silentMs?: number | undefined }>,
): Freshness {
  const ageMs = blockAgeMs(chain, timestamp, time)
  const lagBlocks = announced > number ? announced - number : 0n
  const words = staleWords(chain, ageMs, lagBlocks) ?? silenceWords(chain, silentMs)
  const refusal =
    words === undefined
      ? undefined
      : new AppError('STALE_MARKET', words, {
          chainId: chain.id,
          ageSeconds: Math.floor(ageMs / 1000),
          maxAgeSeconds: chain.maxMarketAgeSeconds,
          blockNumber: `${number}`,
          lagBlocks: Number(lagBlocks),
        })
  return { ageMs, lagBlocks, refusal }
}

/** Age of a block with this timestamp, in milliseconds. */
const blockAgeMs = (
  { clockSkewSeconds }: Readonly<{ clockSkewSeconds: number }>,
  timestamp: bigint,
  time: number,
): number => Math.round(time + clockSkewSeconds * 1000 - Number(timestamp) * 1000)

const silenceWords = ({ displayName }: Parameters<typeof freshnessOf>[0], silentMs: number) =>
  silentMs <= maxSilenceMs
    ? undefined
    : `The feed of ${displayName} has been silent for ${Math.floor(silentMs / 1000)} s: prices need a feed message from the last ${maxSilenceMs / 1000} s`

function staleWords(
  { displayName, maxMarketAgeSeconds }: Parameters<typeof freshnessOf>[0],
  ageMs: number,
  lagBlocks: bigint,
): string | undefined {
  if (ageMs < -maxFutureMs)
    return `The newest block of ${displayName} is dated ${Math.floor(-ageMs / 1000)} s in the future: the clock of the chain or of this machine is wrong`
  if (ageMs <= maxMarketAgeSeconds * 1000) return undefined
  const behind = lagBlocks > 0n ? `, and ${lagBlocks} newer blocks are announced` : ''
  return `The newest block of ${displayName} is ${Math.floor(ageMs / 1000)} s old${behind}: prices need a block that is at most ${maxMarketAgeSeconds} s old`
}
