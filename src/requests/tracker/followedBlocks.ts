import type { BlockId } from '#src/chains/trail.ts'

/** `out`: another block stands in its place, or none. `ahead`: following has not come so far yet. */
type Standing = 'in' | 'out' | 'ahead'

/** The chain as far as it was followed, on top of a block that is final. */
export type FollowedBlocks = Readonly<{
  head: () => BlockId
  /** What lies at or below it is not undone any more. */
  final: () => BlockId
  standing: (block: BlockId) => Standing
  /** Whether the block is in the chain with so many on top of it. */
  isDeep: (block: BlockId | undefined, confirmations: number) => boolean
  push: (block: BlockId) => void
  /** Takes away these, the newest of all. */
  undo: (blocks: readonly BlockId[]) => void
  settle: (block: BlockId) => void
}>

export function createFollowedBlocks(start: BlockId): FollowedBlocks {
  let final = start
  let head = start
  const hashes = new Map<bigint, BlockId['hash']>()
  /** Hashes and heights: of blocks that no other has taken the place of yet. */
  const undone = new Map<BlockId['hash'], bigint>()

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
    push: ({ number, hash }) => {
      head = { number, hash }
      hashes.set(number, hash)
      undone.delete(hash)
    },
    undo: (blocks) => {
      for (const { number, hash } of blocks) {
        hashes.delete(number)
        undone.set(hash, number)
        const below = hashes.get(number - 1n)
        head = below === undefined ? final : { number: number - 1n, hash: below }
      }
    },
    settle: ({ number, hash }) => {
      if (number <= final.number) return
      final = { number, hash }
      for (const height of hashes.keys()) if (height <= number) hashes.delete(height)
      for (const [each, height] of undone) if (height <= number) undone.delete(each)
    },
  }
}
