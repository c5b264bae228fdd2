import type { Hash } from 'viem'

/** Reads the values of a block in parallel with its logs, which saves one round trip. */
export type ReadAhead<Block, Value> = Readonly<{
  /** Begins to read for the block that probably comes next. */
  begin: (block: Block) => void
  /** The values of a block. Reads them now unless they were read ahead completely. @throws what `read` throws */
  take: (block: Block) => Promise<Value>
}>

/** @param isWhole whether a value that was read ahead contains everything that is to be read by now. */
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
