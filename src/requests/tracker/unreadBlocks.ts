import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import type { BlockId } from '#src/chains/trail.ts'
import type { FollowedBlocks } from './followedBlocks.ts'

/** The blocks of the followed chain of which not all is stored yet. */
export type UnreadBlocks = Readonly<{
  add: (block: FollowedBlock) => void
  remove: (blocks: readonly BlockId[]) => void
  /** Lowest first. */
  all: () => readonly FollowedBlock[]
  /** `block`, or the one of its chain that stands under the lowest unread one, where that is lower. */
  readUpTo: (block: BlockId) => BlockId
}>

export function createUnreadBlocks(): UnreadBlocks {
  // A reorg takes the highest away first, so that those which are added stand above all others.
  const blocks = new Map<BlockId['hash'], FollowedBlock>()

  return {
    add: (block) => void blocks.set(block.hash, block),
    remove: (gone) => {
      for (const { hash } of gone) blocks.delete(hash)
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
 * Of the newest block that counts, with all below it read: the time in seconds since 1970 before which nothing more
 * comes to be known. Undefined while no such block was followed.
 */
export function closedAt(
  followed: Pick<FollowedBlocks, 'head' | 'timestampAt'>,
  unread: Pick<UnreadBlocks, 'readUpTo'>,
  confirmations: number,
): number | undefined {
  const head = followed.head()
  const deep = head.number - BigInt(confirmations)
  const read = unread.readUpTo(head).number
  return followed.timestampAt(deep < read ? deep : read)
}
