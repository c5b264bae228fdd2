import type { BlockId, FollowedBlock } from '#src/chains/chainEvent.ts'
import type { FollowedBlocks } from './followedBlocks.ts'

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
  readUpTo: (block: BlockId) => BlockId
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
