import type { Hash } from 'viem'
import type { BlockId, FollowedBlock } from '#src/chains/chainEvent.ts'

/** The followed blocks that a reorg may still undo. They are above an anchor block that no reorg may undo. */
export type UnfinalizedBlocks = Readonly<{
  head: () => BlockId
  /** The block below the oldest block that may be undone. */
  anchor: () => BlockId
  /** Hash of the followed block at this height, which may be the anchor. Undefined for other heights. */
  hashAt: (number: bigint) => Hash | undefined
  push: (block: FollowedBlock) => void
  /** Removes the blocks above `number` and returns them, newest first. */
  undoAbove: (number: bigint) => FollowedBlock[]
  /** Moves the anchor up to this height. Does nothing if the anchor is already at this height or above. */
  finalize: (number: bigint) => void
}>

/** Stores at most `limit` blocks above the anchor. Each further block moves the anchor up by one. */
export function createUnfinalizedBlocks(start: BlockId, limit: number): UnfinalizedBlocks {
  let anchor: BlockId = { number: start.number, hash: start.hash }
  const blocks: FollowedBlock[] = []

  const head = (): BlockId => blocks.at(-1) ?? anchor

  function hashAt(number: bigint): Hash | undefined {
    if (number === anchor.number) return anchor.hash
    return number < anchor.number ? undefined : blocks[Number(number - anchor.number) - 1]?.hash
  }

  function finalize(number: bigint): void {
    const passed = blocks.splice(0, Math.max(0, Number(number - anchor.number))).at(-1)
    if (passed !== undefined) anchor = { number: passed.number, hash: passed.hash }
  }

  return {
    head,
    anchor: () => anchor,
    hashAt,
    finalize,
    push: (block) => {
      blocks.push(block)
      if (blocks.length > limit) finalize(anchor.number + 1n)
    },
    undoAbove: (number) => blocks.splice(Number(number - anchor.number)).reverse(),
  }
}
