import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { BlockHash } from '#src/core/units/txId.ts'

/** A chain's market at one block. */
export type Snapshot = Readonly<{
  market: ChainMarket
  /** Number of tracked pools, routable or not. */
  trackedPools: number
}>

/** One chain's market, kept current with the head of the chain. */
export type MarketFollower = Readonly<{
  latest: () => Snapshot | undefined
  /** The newest height that a node has reported; 0 before the first report. */
  announced: () => bigint
  /** Resolves with the first snapshot, or when the feed is closed before it has one. */
  ready: Promise<void>
  counts: () => Readonly<{
    /** Number of times that a pool differed from the chain and was read again. */
    differences: number
    /** Number of times that the whole market was read again, after a failure or a reorg that was too deep. */
    resyncs: number
    /** Number of times that a pool was compared with the chain. */
    verified: number
    /** Number of known pools, followed or not. Undefined before the discovery, and if the market comes from a feed. */
    discovered: number | undefined
  }>
  /** Reason why there is no snapshot yet, as a phrase for operators; undefined after the first snapshot. */
  waitsFor: () => string | undefined
  /** Why the pools of some factories are not used, for people. */
  refusedFactories: () => readonly string[]
  /**
   * Requests the pools of a currency that has no price. Returns the seconds until they are probably read; undefined if
   * they are read already or will not be. Absent if the market comes from a feed.
   */
  ask?: (currency: Account) => number | undefined
  /** Present if the market comes from a feed instead of a node. */
  reception?: () => Reception
  /** Stops following the chain. Resolves when all its work has ended. */
  close: () => Promise<void>
}>

/** Why a message of a replica changed nothing. */
export type Refusal = 'forged' | 'unreadable' | 'misplaced' | 'replayed' | 'gap'

/** Statistics of one chain's replica at a gateway. */
export type Reception = Readonly<{
  /** Milliseconds since the last message that was accepted; undefined before the first. */
  silentMs: number | undefined
  /** Number of messages that changed nothing, by reason. */
  refused: ReadonlyMap<Refusal, number>
  /** Number of snapshots that were loaded. */
  snapshots: number
}>

/** The state of one chain's market, for health checks and metrics. */
export type ChainStatus = Readonly<{
  chainId: ChainId
  /** Undefined before the first snapshot. */
  head:
    | Readonly<{
        number: bigint
        hash: BlockHash
        /** Seconds since 1970. */
        timestamp: bigint
        /** Age of the block by its timestamp. Negative for a block that is dated in the future. */
        ageSeconds: number
        /** Number of blocks that a node has announced and the market does not have yet. */
        lagBlocks: bigint
        /** Why prices are refused as stale, for people; undefined while prices are fresh. */
        staleReason: string | undefined
        /** Tracked pools. */
        pools: number
        /** Tracked pools that routes may use. */
        routedPools: number
        refusedCurrencies: number
      }>
    | undefined
  /** Number of known pools, followed or not. Undefined before the discovery, and if the market comes from a feed. */
  discovered: number | undefined
  /** Number of times that a pool differed from the chain and was read again. */
  differences: number
  /** Number of times that the whole market was read again. */
  resyncs: number
  /** Number of times that a pool was compared with the chain. */
  verified: number
  /** Why the pools of some factories are not used, for people. */
  refusedFactories: readonly string[]
  /** Present if the market comes from a feed. */
  feed: Reception | undefined
}>
