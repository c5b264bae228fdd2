import type { ChainId } from '#src/core/units/chainId.ts'
import type { Reception } from './replica/replicaRefusals.ts'

/** The state of one chain's market, for health checks and metrics. */
export type ChainStatus = Readonly<{
  chainId: ChainId
  /** Undefined before the first snapshot. */
  head:
    | Readonly<{
        number: bigint
        hash: `0x${string}`
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
