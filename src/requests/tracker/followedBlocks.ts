import type { BlockId, FollowedBlock } from '#src/chains/chainEvent.ts'
import type { BlockHash } from '#src/core/units/txId.ts'

/**
 * `orphaned`: another block took its place, or none has yet. `unknown`: above the followed head, or skipped and not yet
 * final.
 */
type BlockStatus = 'canonical' | 'orphaned' | 'unknown'

/** A block with its timestamp in seconds. */
type TimedBlock = BlockId<BlockHash> & Readonly<{ timestamp: bigint }>

/** The part of the chain that was followed, on top of a final block. */
export type FollowedBlocks = Readonly<{
  head: () => BlockId<BlockHash>
  /** The newest final block. No reorg undoes it or a block below it. */
  final: () => BlockId<BlockHash>
  statusOf: (block: BlockId<BlockHash>) => BlockStatus
  /** Whether the block is canonical with at least this many blocks on top of it. */
  isConfirmed: (block: BlockId<BlockHash> | undefined, confirmations: number) => boolean
  /** Timestamp of the block at this height, in seconds; undefined if it was not followed or is too old. */
  timestampAt: (height: bigint) => number | undefined
  /** Adds a block above the head. Blocks between the two are skipped: their hashes are unknown. */
  push: (block: TimedBlock) => void
  /** Removes these blocks, which must be the newest ones. */
  undo: (blocks: readonly BlockId<BlockHash>[]) => void
  finalize: (block: BlockId<BlockHash>) => void
}>

/** The highest number of confirmations that a chain can be configured to wait for. */
const maxConfirmations = 1_000n

export function createFollowedBlocks(start: BlockId<BlockHash>): FollowedBlocks {
  let final = start
  let head = start
  const hashes = new Map<bigint, BlockHash>()
  /** Heights, by hash, of undone blocks that no other block has replaced yet. */
  const undone = new Map<BlockHash, bigint>()
  const timestamps = new Map<bigint, number>()

  function statusOf({ number, hash }: BlockId<BlockHash>): BlockStatus {
    if (number <= final.number) return 'canonical'
    if (number > head.number) return undone.has(hash) ? 'orphaned' : 'unknown'
    const followed = hashes.get(number)
    if (followed === undefined) return 'unknown'
    return followed === hash ? 'canonical' : 'orphaned'
  }

  return {
    head: () => head,
    final: () => final,
    statusOf,
    isConfirmed: (block, confirmations) =>
      block !== undefined &&
      statusOf(block) === 'canonical' &&
      head.number >= block.number + BigInt(confirmations),
    timestampAt: (height) => timestamps.get(height),
    push: ({ number, hash, timestamp }) => {
      head = { number, hash }
      hashes.set(number, hash)
      timestamps.set(number, Number(timestamp))
      undone.delete(hash)
    },
    undo: (blocks) => {
      for (const { number, hash } of blocks) {
        hashes.delete(number)
        timestamps.delete(number)
        undone.set(hash, number)
        const below = hashes.get(number - 1n)
        head = below === undefined ? final : { number: number - 1n, hash: below }
      }
    },
    finalize: ({ number, hash }) => {
      if (number <= final.number) return
      final = { number, hash }
      for (const height of hashes.keys()) if (height <= number) hashes.delete(height)
      for (const height of timestamps.keys())
        if (height + maxConfirmations < number) timestamps.delete(height)
      for (const [each, height] of undone) if (height <= number) undone.delete(each)
    },
  }
}

/** Followed blocks whose events are not all stored yet. */
export type UnreadBlocks = Readonly<{
  add: (block: FollowedBlock) => void
  remove: (blocks: readonly BlockId[]) => void
  /** Lowest first. */
  all: () => readonly FollowedBlock[]
}> &
  ReadProgress

export type ReadProgress = Readonly<{
  /** `block`, or the parent of the lowest unread block if that is lower. */
  readUpTo: (block: BlockId<BlockHash>) => BlockId<BlockHash>
}>

export function createUnreadBlocks(): UnreadBlocks {
  // In height order, as new blocks are added above all others.
  const blocks = new Map<BlockId['hash'], FollowedBlock>()

  return {
    add: (block) => void blocks.set(block.hash, block),
    remove: (removed) => {
      for (const { hash } of removed) blocks.delete(hash)
    },
    all: () => [...blocks.values()],
    readUpTo: (block) => {
      const [lowest] = blocks.values()
      if (lowest === undefined || lowest.number > block.number) return block
      return { number: lowest.number - 1n, hash: lowest.parentHash }
    },
  }
}

/**
 * Timestamp of the newest fully processed block, in seconds. That block is confirmed, and all blocks up to it are read.
 * No earlier deposit can still appear. Undefined until such a block was followed.
 */
export function processedUntil(
  followed: FollowedBlocks,
  unread: ReadProgress,
  confirmations: number,
): number | undefined {
  const head = followed.head()
  const confirmed = head.number - BigInt(confirmations)
  const read = unread.readUpTo(head).number
  return followed.timestampAt(confirmed < read ? confirmed : read)
}
