import type { Hash, Log } from 'viem'
import type { BlockHash } from '#src/core/units/txId.ts'

/** A block of an EVM chain, or with `BlockHash` one of any chain. */
export type BlockId<Of extends BlockHash = Hash> = Readonly<{ number: bigint; hash: Of }>

export type DatedBlock = BlockId &
  Readonly<{
    /** Seconds since 1970. */
    timestamp: bigint
  }>

/** What the base fee of the next block follows from. */
export type FeeBlock = Readonly<{
  hash: Hash
  parentHash: Hash
  /** `null` on chains without EIP-1559. */
  baseFeePerGas: bigint | null
  /** Gas used by all transactions, and the block's gas limit. `null` if the node does not report them. */
  gas: Readonly<{ used: bigint; limit: bigint }> | null
}>

export type LoggedBlock = DatedBlock &
  Readonly<{
    /** Of a whole block or of one transaction, in block order. Read by the block's hash. */
    logs: readonly Log<bigint, number, false>[]
  }>

/** A block with its logs of the requested topics. */
export type FollowedBlock = FeeBlock & LoggedBlock

/** A change of a chain's head or of its finality. Events come in order; none is skipped or repeated. */
export type ChainEvent =
  | Readonly<{ type: 'block'; block: FollowedBlock }>
  /** The blocks in `undone`, newest first, were orphaned. `block` events for their replacements follow. */
  | Readonly<{ type: 'reorg'; undone: readonly FollowedBlock[] }>
  /** This block and all blocks below it are final. */
  | Readonly<{ type: 'finalized'; block: BlockId }>
