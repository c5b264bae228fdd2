import type { Hash, Hex } from 'viem'
import type { BlockId, ChainEvent, FollowedBlock } from '#src/chains/chainEvent.ts'
import { readBlockLogs, readHeaderAt, readHeaderOf } from '#src/chains/read/readBlock.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Header, parseHeader } from '#src/chains/rpc/rpcAnswer.ts'
import type { Log } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'
import { createReadFinal, type ReadFinal } from './finality.ts'

/**
 * A reorg undid a final block, the block where following began, or more blocks than are stored. The events cannot
 * describe such a reorg: the consumer must read its state again and start a new follower.
 */
export class ReorgTooDeepError extends Error {
  constructor(chainId: number, fork: BlockId) {
    super(`Chain ${chainId} was reorganised at or below block ${fork.number} (${fork.hash})`)
    this.name = 'ReorgTooDeepError'
  }
}

/** Reads a block by its hash, with all its wanted logs. @throws AppError when the RPC or the store fails */
export type ReadBlock = (header: Header, signal: AbortSignal) => Promise<FollowedBlock>

/** The logs to read of each block: those of any contract with these first topics, or those that the function reads. */
type Wanted = Readonly<{ topics: readonly Hex[] }> | Readonly<{ readBlock: ReadBlock }>

export type FollowerArgs = Wanted &
  Readonly<{
    /** Number of blocks stored for reorgs, and the depth of a final block on a chain without a `finalized` tag. */
    finalityDepth: number
    /**
     * The last block that the consumer knows. Without it the first event is the chain's latest block.
     * While the chain is shorter than this block's height, its node counts as lagging and the follower waits.
     */
    from?: BlockId
    /**
     * Number of new blocks between two reads of finality, given the number of blocks that were not final at the last
     * read. 1 by default. If no new block comes, finality is read anyway.
     */
    finalityPause?: (pending: bigint) => bigint
    /** Called with the header of the probable next block, before its logs are read. */
    onHeader?: (header: Header) => void
    /** Called with the height of each new latest block that a node reports. */
    onHeight?: (height: bigint) => void
    signal: AbortSignal
  }>

/** After an announced block that the endpoints do not have, announcements of this many blocks are ignored. */
const announcedPause = 16n

/** Maximum number of missing blocks that are read in parallel. */
const maxReadAhead = 16n

/** Follows a chain step by step: each call of `next` advances by one block, one reorg or one finalized block. */
export class ChainFollower {
  readonly #client: ChainClient
  readonly #log: Log
  readonly #args: FollowerArgs
  readonly #signal: AbortSignal
  readonly #readFinal: ReadFinal
  #unfinalized: UnfinalizedBlocks | undefined
  /** Blocks read ahead, in order. The first is the child of the head. */
  #ahead: FollowedBlock[] = []
  /** Height of the latest block that a node reported. */
  #tipHeight = 0n
  #finalHeight = -1n
  #mustReadFinal = false
  /** The lowest height at which finality is read again. */
  #nextFinality = 0n
  #announced: Header | undefined
  /** Announced headers below this height are ignored. */
  #nextAnnounced = 0n

  constructor({ client, log }: Readonly<{ client: ChainClient; log: Log }>, args: FollowerArgs) {
    this.#client = client
    this.#log = log
    this.#args = args
    this.#signal = args.signal
    this.#readFinal = createReadFinal(client, args)
    this.#unfinalized = args.from && createUnfinalizedBlocks(args.from, args.finalityDepth)
  }

  /**
   * The next events, in order; empty if there are none. With `eager`, other nodes are asked as well if a node's latest
   * block is the known head.
   * @throws AppError if the RPC fails: no event is lost, and the next call continues. ReorgTooDeepError
   */
  async next(eager: boolean): Promise<readonly ChainEvent[]> {
    if (this.#unfinalized === undefined) return this.#begin()
    const block = this.#ahead.shift()
    if (block !== undefined) return [this.#append(this.#unfinalized, block)]
    const header = this.#announced
    this.#announced = undefined
    const taken = header && (await this.#takeAnnounced(this.#unfinalized, header))
    if (taken !== undefined) return [this.#append(this.#unfinalized, taken)]
    const isAtTip = this.#unfinalized.head().number >= this.#tipHeight
    if (isAtTip && this.#isFinalityDue(this.#unfinalized)) return this.#finalize(this.#unfinalized)
    // The announced block was already followed.
    if (isAtTip && !eager && header?.hash === this.#unfinalized.head().hash) return []
    const tip = await this.#readTip(this.#unfinalized, eager)
    if (tip === undefined)
      return isAtTip && this.#mustReadFinal ? this.#finalize(this.#unfinalized) : []
    this.#tipHeight = tip.number
    this.#args.onHeight?.(tip.number)
    const { head } = this.#unfinalized
    if (tip.parentHash === head().hash)
      return [this.#append(this.#unfinalized, await this.#withNext(tip))]
    const hasGap = tip.number > head().number + 1n
    return hasGap ? this.#catchUp(this.#unfinalized, tip) : this.#undoFork(this.#unfinalized, tip)
  }

  /** Height of the last followed block. */
  height(): bigint | undefined {
    return this.#unfinalized?.head().number
  }

  /** Whether there is an event for every block, and finality is read, up to the nodes' last answers. */
  isCaughtUp(): boolean {
    return (
      this.#unfinalized !== undefined &&
      this.#unfinalized.head().number >= this.#tipHeight &&
      !this.#isFinalityDue(this.#unfinalized)
    )
  }

  /** Takes a header that its hash proves. The next call of `next` uses it if the endpoints have the block. */
  announce(header: Header): void {
    this.#announced = header
  }

  #isFinalityDue({ head }: UnfinalizedBlocks): boolean {
    return this.#mustReadFinal && head().number >= this.#nextFinality
  }

  #withLogs(header: Header): Promise<FollowedBlock> {
    if ('readBlock' in this.#args) return this.#args.readBlock(header, this.#signal)
    const io = { client: this.#client, log: this.#log }
    return readBlockLogs(io, header, this.#args.topics, this.#signal)
  }

  #withNext(header: Header): Promise<FollowedBlock> {
    this.#args.onHeader?.(header)
    return this.#withLogs(header)
  }

  /**
   * Reads the announced child of the head. Its logs contain its hash, which proves that an endpoint has the block.
   * Without logs there is no proof, so its header is read as well. Undefined if no endpoint has the block.
   */
  async #takeAnnounced(
    { head }: UnfinalizedBlocks,
    header: Header,
  ): Promise<FollowedBlock | undefined> {
    const { number, hash } = head()
    if (header.parentHash !== hash || header.number !== number + 1n) return undefined
    if (header.number < this.#nextAnnounced) return undefined
    try {
      const block = await this.#withNext(header)
      const isKnown =
        block.logs.length > 0 ||
        (await readHeaderOf(this.#client, header, this.#signal)) !== undefined
      if (isKnown) {
        if (header.number > this.#tipHeight) this.#tipHeight = header.number
        return block
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
    this.#nextAnnounced = header.number + announcedPause
    return undefined
  }

  async #begin(): Promise<readonly ChainEvent[]> {
    const tip = await this.#client.ask(latest, parseHeader, this.#signal)
    if (tip === undefined) return []
    const block = await this.#withLogs(tip)
    this.#unfinalized = createUnfinalizedBlocks(block, this.#args.finalityDepth)
    this.#tipHeight = tip.number
    this.#args.onHeight?.(tip.number)
    this.#mustReadFinal = true
    return [{ type: 'block', block }]
  }

  #append({ push }: UnfinalizedBlocks, block: FollowedBlock): ChainEvent {
    push(block)
    this.#mustReadFinal = true
    return { type: 'block', block }
  }

  /**
   * The latest block, if it is new. A lagging node reports a block that was followed before: that is no reorg, and
   * another node may have a newer block. Another hash at the same height is a reorg.
   */
  async #readTip(
    { head, anchor, hashAt }: UnfinalizedBlocks,
    eager: boolean,
  ): Promise<Header | undefined> {
    const isNew = ({ number, hash }: Header) => number >= anchor().number && hashAt(number) !== hash
    const tip = await this.#client.ask(
      latest,
      (answer) => {
        const header = parseHeader(answer)
        if (header === undefined || isNew(header)) return header
        return header.hash === head().hash && !eager ? header : undefined
      },
      this.#signal,
    )
    return tip !== undefined && isNew(tip) ? tip : undefined
  }

  /**
   * Reads blocks between the head and `tip`, and follows the first of them. If a block cannot be read, the blocks
   * before it are still used: else an endpoint that often fails would never get through a long gap.
   */
  async #catchUp(unfinalized: UnfinalizedBlocks, tip: Header): Promise<readonly ChainEvent[]> {
    const { number, hash } = unfinalized.head()
    const missing = tip.number - number
    const count = Number(missing < maxReadAhead ? missing : maxReadAhead)
    const heights = Array.from({ length: count }, (_, at) => number + BigInt(at) + 1n)
    const headers = await untilFailure(
      heights.map((height) => readHeaderAt(this.#client, height, this.#signal)),
    )
    const [first] = headers
    if (first === undefined) return []
    if (first.parentHash !== hash) return this.#undoFork(unfinalized, first)
    const [block, ...rest] = await untilFailure(
      linked(headers).map((header) => this.#withLogs(header)),
    )
    this.#ahead = rest
    return block === undefined ? [] : [this.#append(unfinalized, block)]
  }

  /** Undoes the blocks that are not ancestors of `tip`. The next calls follow the new branch. */
  async #undoFork(
    { anchor, hashAt, undoAbove }: UnfinalizedBlocks,
    tip: Header,
  ): Promise<readonly ChainEvent[]> {
    let block = tip
    while (hashAt(block.number - 1n) !== block.parentHash) {
      if (block.number - 1n <= anchor().number)
        throw new ReorgTooDeepError(this.#client.chain.id, block)
      const parentId = { number: block.number - 1n, hash: block.parentHash }
      const parent = await readHeaderOf(this.#client, parentId, this.#signal)
      // Another reorg happened during the read: the next call starts again from the new tip.
      if (parent === undefined) return []
      block = parent
    }
    return [{ type: 'reorg', undone: undoAbove(block.number - 1n) }]
  }

  async #finalize(unfinalized: UnfinalizedBlocks): Promise<readonly ChainEvent[]> {
    this.#mustReadFinal = false
    const block = await this.#readFollowedFinal(unfinalized)
    const { number } = unfinalized.head()
    const { finalityPause = () => 1n } = this.#args
    this.#nextFinality = number + finalityPause(number - (block?.number ?? this.#finalHeight))
    if (block === undefined || block.number <= this.#finalHeight) return []
    this.#finalHeight = block.number
    unfinalized.finalize(block.number)
    return [{ type: 'finalized', block }]
  }

  /** The final block. Undefined if there is none, or if it is on another branch than the followed blocks. */
  async #readFollowedFinal({ head, hashAt }: UnfinalizedBlocks): Promise<BlockId | undefined> {
    const final = await this.#readFinal(head().number, this.#signal)
    if (final === undefined) return undefined
    const { number } = final
    const followed = hashAt(number)
    const hash = final.hash ?? followed
    const isFollowed = followed === undefined || followed === hash
    return hash !== undefined && isFollowed ? { number, hash } : undefined
  }
}

const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }

/** The values of the reads before the first failure, in order. @throws the failure if it is the first read's */
async function untilFailure<Value>(reads: readonly Promise<Value>[]): Promise<readonly Value[]> {
  const values: Value[] = []
  for (const outcome of await Promise.allSettled(reads)) {
    if (outcome.status === 'fulfilled') values.push(outcome.value)
    else if (values.length === 0) throw outcome.reason
    else break
  }
  return values
}

/** The headers before the first one that is missing or is not a child of its predecessor. */
function linked(headers: readonly (Header | undefined)[]): Header[] {
  const chain: Header[] = []
  for (const header of headers) {
    const last = chain.at(-1)
    if (header === undefined || (last !== undefined && header.parentHash !== last.hash)) break
    chain.push(header)
  }
  return chain
}

/** The followed blocks that a reorg may still undo. They are above an anchor block that no reorg may undo. */
type UnfinalizedBlocks = Readonly<{
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
