import type { Address, Blockhash } from '@solana/kit'
import type { LandedTransaction } from './history.ts'
import type { Account } from './runtime.ts'

export type Commitment = 'processed' | 'confirmed' | 'finalized'

type Place = Readonly<{
  slot: number
  parentSlot: number
  /** Number of blocks before. */
  height: number
  unixSeconds: number
}>

/** The accounts that a block has changed, as they were before. Undefined: there was none. */
export type Before = Map<Address, Account | undefined>

export type Block = Place &
  Readonly<{
    blockhash: Blockhash
    transactions: readonly LandedTransaction[]
    /** Empty once the block is final. */
    before: Before
    /** The addresses of `before`, for good. */
    changed: ReadonlySet<Address>
  }>

/** Blocks after which a block is confirmed, and after which it is final. */
export type Depths = Readonly<{ confirmedAfter: number; finalizedAfter: number }>

/** Blocks during which a transaction may use a block hash. */
const maxHashAge = 150

/** Blocks whose transactions a cluster remembers in memory. */
export const statusBlocks = 300

/** An hour of blocks. */
const maxBlocks = 9000

/** The newest blocks of the chain, with their commitments. */
export class BlockList {
  readonly #depths: Depths
  #blocks: Block[]

  constructor(genesis: Block, depths: Depths) {
    this.#blocks = [genesis]
    this.#depths = depths
  }

  /** Oldest first. */
  get all(): readonly Block[] {
    return this.#blocks
  }

  get tip(): Block {
    return this.fromTip(0)
  }

  fromTip(count: number): Block {
    const found = this.#blocks[Math.max(0, this.#blocks.length - 1 - count)]
    if (found === undefined) throw new Error('There is no block')
    return found
  }

  at(commitment: Commitment): Block {
    const { confirmedAfter, finalizedAfter } = this.#depths
    if (commitment === 'processed') return this.tip
    return this.fromTip(commitment === 'confirmed' ? confirmedAfter : finalizedAfter)
  }

  commitmentOf({ height }: Readonly<{ height: number }>): Commitment {
    if (height <= this.at('finalized').height) return 'finalized'
    return height <= this.at('confirmed').height ? 'confirmed' : 'processed'
  }

  /** The height up to which clients may expect that a transaction with the hash lands. Undefined if it is too old. */
  lastValidHeight(blockhash: string, block: Block): number | undefined {
    const known = this.#blocks
      .slice(-statusBlocks)
      .find((each) => each.blockhash === blockhash && each.height <= block.height)
    const last = known && known.height + maxHashAge
    return last !== undefined && last >= block.height ? last : undefined
  }

  /** The accounts that blocks after `block` have changed, as they were at its end. */
  changesAfter({ height }: Block): Before {
    const first = this.#blocks.findLastIndex((each) => each.height === height) + 1
    const later = this.#blocks.slice(first).toReversed()
    return new Map(later.flatMap(({ before }) => [...before]))
  }

  add(block: Block): void {
    this.#blocks.push(block)
    if (this.#blocks.length > maxBlocks) this.#blocks.shift()
    if (block.height > this.#depths.finalizedAfter) this.at('finalized').before.clear()
  }

  /**
   * Removes the newest blocks, oldest first.
   * @throws RangeError if one of them is final.
   */
  discard(count: number): readonly Block[] {
    const max = this.tip.height - this.at('finalized').height
    if (!Number.isInteger(count) || count < 1 || count > max)
      throw new RangeError(`A fork can discard 1 to ${max} blocks now, not ${count}`)
    return this.#blocks.splice(-count)
  }
}
