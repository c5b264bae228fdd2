import type { Hash } from 'viem'
import type { FollowedBlock } from '#src/chains/chainEvent.ts'

export type BlockId = Readonly<{ number: bigint; hash: Hash }>

/** The followed blocks that a reorg may still undo, on top of one that it may not. */
export type Trail = Readonly<{
  head: () => BlockId
  /** The block under all that may be undone. */
  anchor: () => BlockId
  /** Of the followed block at this height, the anchor included. */
  hashAt: (number: bigint) => Hash | undefined
  push: (block: FollowedBlock) => void
  /** Forgets the blocks above `number`, and gives them back newest first. */
  undoAbove: (number: bigint) => FollowedBlock[]
  /** Makes the block at this height the anchor, if it stands above the present one. */
  settle: (number: bigint) => void
}>

/** Remembers at most `limit` blocks above the anchor, which moves up with them. */
export function createTrail(start: BlockId, limit: number): Trail {
  let anchor: BlockId = { number: start.number, hash: start.hash }
  const blocks: FollowedBlock[] = []

  const head = (): BlockId => blocks.at(-1) ?? anchor

  function hashAt(number: bigint): Hash | undefined {
    if (number === anchor.number) return anchor.hash
    return number < anchor.number ? undefined : blocks[Number(number - anchor.number) - 1]?.hash
  }

  function settle(number: bigint): void {
    const passed = blocks.splice(0, Math.max(0, Number(number - anchor.number))).at(-1)
    if (passed !== undefined) anchor = { number: passed.number, hash: passed.hash }
  }

  return {
    head,
    anchor: () => anchor,
    hashAt,
    settle,
    push: (block) => {
      blocks.push(block)
      if (blocks.length > limit) settle(anchor.number + 1n)
    },
    undoAbove: (number) => blocks.splice(Number(number - anchor.number)).reverse(),
  }
}
