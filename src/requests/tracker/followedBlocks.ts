import type { BlockId } from '#src/chains/trail.ts'

/** `out`: another block stands in its place, or none. `ahead`: following has not come so far yet. */
type Standing = 'in' | 'out' | 'ahead'

/** A block with its time, in seconds since 1970. */
type TimedBlock = BlockId & Readonly<{ timestamp: bigint }>

/** The chain as far as it was followed, on top of a block that is final. */
export type FollowedBlocks = Readonly<{
  head: () => BlockId
  /** What lies at or below it is not undone any more. */
  final: () => BlockId
  standing: (block: BlockId) => Standing
  /** Whether the block is in the chain with so many on top of it. */
  isDeep: (block: BlockId | undefined, confirmations: number) => boolean
  /** Seconds since 1970, of the block of this height; undefined where it was not followed, or long ago. */
  timestampAt: (height: bigint) => number | undefined
  push: (block: TimedBlock) => void
  /** Takes away these, the newest of all. */
  undo: (blocks: readonly BlockId[]) => void
  settle: (block: BlockId) => void
}>

/** As many as a chain may be configured to wait for, finality or not. */
const mostConfirmations = 1_000n

export function createFollowedBlocks(start: BlockId): FollowedBlocks {
  let final = start
  let head = start
  const hashes = new Map<bigint, BlockId['hash']>()
  /** Hashes and heights: of blocks that no other has taken the place of yet. */
  const undone = new Map<BlockId['hash'], bigint>()
  const timestamps = new Map<bigint, number>()

  function standing({ number, hash }: BlockId): Standing {
    if (number <= final.number) return 'in'
    if (number > head.number) return undone.has(hash) ? 'out' : 'ahead'
    return hashes.get(number) === hash ? 'in' : 'out'
  }

  return {
    head: () => head,
    final: () => final,
    standing,
    isDeep: (block, confirmations) =>
      block !== undefined &&
      standing(block) === 'in' &&
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
    settle: ({ number, hash }) => {
      if (number <= final.number) return
      final = { number, hash }
      for (const height of hashes.keys()) if (height <= number) hashes.delete(height)
      for (const height of timestamps.keys())
        if (height + mostConfirmations < number) timestamps.delete(height)
      for (const [each, height] of undone) if (height <= number) undone.delete(each)
    },
  }
}
