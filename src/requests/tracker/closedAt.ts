import type { FollowedBlocks } from './followedBlocks.ts'
import type { UnreadBlocks } from './unreadBlocks.ts'

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
