import type { Hash } from 'viem'

/** Reads what belongs to a block while its logs are still read: the two take one round trip instead of two. */
export type ReadAhead<Block, Value> = Readonly<{
  /** Begins to read for the block that probably comes next. */
  begin: (block: Block) => void
  /** What is read for a block, whether that began before or not. @throws what `read` throws */
  take: (block: Block) => Promise<Value>
}>

/** @param isWhole whether what was begun has all that is to be read by now. */
export function createReadAhead<Block extends Readonly<{ hash: Hash }>, Value>(
  read: (block: Block) => Promise<Value>,
  isWhole: (value: Value) => boolean,
): ReadAhead<Block, Value> {
  let begun: Readonly<{ hash: Hash; value: Promise<Value | undefined> }> | undefined

  return {
    begin: (block) => {
      // A node that does not have the block yet may have it once the logs are there.
      const value = read(block).catch(() => undefined)
      begun = { hash: block.hash, value }
    },
    async take(block) {
      const value = begun?.hash === block.hash ? await begun.value : undefined
      begun = undefined
      return value !== undefined && isWhole(value) ? value : read(block)
    },
  }
}
