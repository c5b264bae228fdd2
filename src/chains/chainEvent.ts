import type { Log } from 'viem'

/** A block as the follower saw it, with the logs that were asked for. */
export type FollowedBlock = Readonly<{
  number: bigint
  hash: `0x${string}`
  parentHash: `0x${string}`
  /** Seconds since 1970. */
  timestamp: bigint
  /** `null` on chains without EIP-1559. */
  baseFeePerGas: bigint | null
  /** In the order of the block, fetched by its hash. */
  logs: readonly Log<bigint, number, false>[]
}>

/** What happens to a chain's head, in order: nothing is skipped and nothing comes twice. */
export type ChainEvent =
  | Readonly<{ type: 'block'; block: FollowedBlock }>
  /** `undone`, newest first, are no longer part of the chain; the blocks that replace them follow. */
  | Readonly<{ type: 'reorg'; undone: readonly FollowedBlock[] }>
  /** This block and all below it can no longer be undone. */
  | Readonly<{ type: 'finalized'; block: Readonly<{ number: bigint; hash: `0x${string}` }> }>
