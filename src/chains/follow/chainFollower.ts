import type { Hex } from 'viem'
import type { BlockId, ChainEvent, FollowedBlock } from '#src/chains/chainEvent.ts'
import { readBlockLogs, readHeaderAt, readHeaderOf } from '#src/chains/read/readBlock.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Header, parseHeader } from '#src/chains/rpc/rpcAnswer.ts'
import { AppError } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import { createReadFinal } from './finality.ts'
import { createUnfinalizedBlocks, type UnfinalizedBlocks } from './unfinalizedBlocks.ts'

/**
 * A reorg undid a final block, the block that following began with, or more blocks than are kept. State built
 * from the events cannot be repaired: read it anew and follow from there.
 */
export class ReorgTooDeepError extends Error {
  constructor(chainId: number, fork: BlockId) {
    super(`Chain ${chainId} was reorganised at or below block ${fork.number} (${fork.hash})`)
    this.name = 'ReorgTooDeepError'
  }
}

/** Reads a block by its hash, with all its wanted logs. @throws AppError when the RPC or the store fails */
export type ReadBlock = (header: Header, signal: AbortSignal) => Promise<FollowedBlock>

/** What is read of each block: the logs of any contract with these first topics, or what the function reads. */
type Wanted = Readonly<{ topics: readonly Hex[] }> | Readonly<{ readBlock: ReadBlock }>

export type FollowerArgs = Wanted &
  Readonly<{
    /** How many blocks are kept for reorgs. On a chain without a `finalized` tag, also the depth at which a block is final. */
    finalityDepth: number
    /**
     * The last block that the consumer knows. Without it the first event is the chain's latest block.
     * While the chain is shorter than this block, its node counts as lagging and the follower waits.
     */
    from?: BlockId
    /**
     * New blocks between two readings of finality, by the number of blocks that were not final at the last one. Absent: one.
     * Where no new block comes, it is read nevertheless.
     */
    finalityPause?: (pending: bigint) => bigint
    /** Called before the logs of a block are read that probably comes next. */
    onHeader?: (header: Header) => void
    /** Called with the height of each new latest block that a node reports. */
    onHeight?: (height: bigint) => void
    signal: AbortSignal
  }>

/** After an announced block that the endpoints do not have, so many others are waited for as if they were not announced. */
const announcedPause = 16n

/** How many missing blocks are read at once. */
const maxReadAhead = 16n

export type ChainFollower = Readonly<{
  /**
   * The next events, in order; empty when there are none. With `eager`, a node whose latest block is the known head
   * is not believed before the other nodes are asked.
   * @throws AppError when the RPC fails; call again, no event is lost. ReorgTooDeepError
   */
  next: (eager: boolean) => Promise<readonly ChainEvent[]>
  /** Takes a header that is proven by its hash. The next call of `next` need not ask for it, if the endpoints have the block. */
  announce: (header: Header) => void
  /** Height of the last followed block. */
  height: () => bigint | undefined
  /** Whether everything is told that the nodes' last answers have shown. */
  isCaughtUp: () => boolean
}>

/** Follows a chain step by step: each call of `next` advances by one block, one reorg or one finalized block. */
export function createChainFollower(
  { client, log }: Readonly<{ client: ChainClient; log: Log }>,
  {
    finalityDepth,
    from,
    finalityPause = () => 1n,
    onHeader,
    onHeight,
    signal,
    ...wanted
  }: FollowerArgs,
): ChainFollower {
  let unfinalized = from && createUnfinalizedBlocks(from, finalityDepth)
  const readFinal = createReadFinal(client, { finalityDepth })
  /** Blocks read ahead, in order. The first is the child of the head. */
  let ahead: FollowedBlock[] = []
  /** Height of the latest block that a node reported. */
  let tipHeight = 0n
  let finalHeight = -1n
  let mustReadFinal = false
  /** The height from which on finality is read again. */
  let nextFinality = 0n

  let announced: Header | undefined
  /** The height below which announced headers are not taken. */
  let nextAnnounced = 0n

  const isFinalityDue = ({ head }: UnfinalizedBlocks) =>
    mustReadFinal && head().number >= nextFinality

  const withLogs = (header: Header) =>
    'readBlock' in wanted
      ? wanted.readBlock(header, signal)
      : readBlockLogs({ client, log }, header, wanted.topics, signal)

  const withNext = (header: Header) => {
    onHeader?.(header)
    return withLogs(header)
  }

  async function next(eager: boolean): Promise<readonly ChainEvent[]> {
    if (unfinalized === undefined) return begin()
    const block = ahead.shift()
    if (block !== undefined) return [append(unfinalized, block)]
    const header = announced
    announced = undefined
    const taken = header && (await takeAnnounced(unfinalized, header))
    if (taken !== undefined) return [append(unfinalized, taken)]
    const isAtTip = unfinalized.head().number >= tipHeight
    if (isAtTip && isFinalityDue(unfinalized)) return finalize(unfinalized)
    // It was followed before its announcement came.
    if (isAtTip && !eager && header?.hash === unfinalized.head().hash) return []
    const tip = await readTip(unfinalized, eager)
    if (tip === undefined) return isAtTip && mustReadFinal ? finalize(unfinalized) : []
    tipHeight = tip.number
    onHeight?.(tip.number)
    const { head } = unfinalized
    if (tip.parentHash === head().hash) return [append(unfinalized, await withNext(tip))]
    const hasGap = tip.number > head().number + 1n
    return hasGap ? catchUp(unfinalized, tip) : undoFork(unfinalized, tip)
  }

  /**
   * The announced child of the head. Its logs are read from the endpoints, and show that they have the block: they name its
   * hash. A block without logs is asked for, as any hash could be said to have none.
   */
  async function takeAnnounced(
    { head }: UnfinalizedBlocks,
    header: Header,
  ): Promise<FollowedBlock | undefined> {
    const { number, hash } = head()
    if (header.parentHash !== hash || header.number !== number + 1n) return undefined
    if (header.number < nextAnnounced) return undefined
    try {
      const block = await withNext(header)
      const isKnown =
        block.logs.length > 0 || (await readHeaderOf(client, header, signal)) !== undefined
      if (isKnown) {
        if (header.number > tipHeight) tipHeight = header.number
        return block
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
    nextAnnounced = header.number + announcedPause
    return undefined
  }

  async function begin(): Promise<readonly ChainEvent[]> {
    const tip = await client.ask(latest, parseHeader, signal)
    if (tip === undefined) return []
    const block = await withLogs(tip)
    unfinalized = createUnfinalizedBlocks(block, finalityDepth)
    tipHeight = tip.number
    onHeight?.(tip.number)
    mustReadFinal = true
    return [{ type: 'block', block }]
  }

  function append({ push }: UnfinalizedBlocks, block: FollowedBlock): ChainEvent {
    push(block)
    mustReadFinal = true
    return { type: 'block', block }
  }

  /**
   * The latest block, if it is new. A lagging node reports a block that was followed before: that is no reorg, and
   * another node may have a newer block. Another hash at the same height is a reorg.
   */
  async function readTip(
    { head, anchor, hashAt }: UnfinalizedBlocks,
    eager: boolean,
  ): Promise<Header | undefined> {
    const isNew = ({ number, hash }: Header) => number >= anchor().number && hashAt(number) !== hash
    const tip = await client.ask(
      latest,
      (answer) => {
        const header = parseHeader(answer)
        if (header === undefined || isNew(header)) return header
        return header.hash === head().hash && !eager ? header : undefined
      },
      signal,
    )
    return tip !== undefined && isNew(tip) ? tip : undefined
  }

  /**
   * Reads the blocks between the head and `tip`, and follows the first of them. Those before one that cannot be read are kept: an
   * endpoint that often fails would else never answer for the whole of a long gap.
   */
  async function catchUp(
    unfinalized: UnfinalizedBlocks,
    tip: Header,
  ): Promise<readonly ChainEvent[]> {
    const { number, hash } = unfinalized.head()
    const missing = tip.number - number
    const count = Number(missing < maxReadAhead ? missing : maxReadAhead)
    const heights = Array.from({ length: count }, (_, at) => number + BigInt(at) + 1n)
    const headers = await untilFailure(
      heights.map((height) => readHeaderAt(client, height, signal)),
    )
    const [first] = headers
    if (first === undefined) return []
    if (first.parentHash !== hash) return undoFork(unfinalized, first)
    const [block, ...rest] = await untilFailure(linked(headers).map(withLogs))
    ahead = rest
    return block === undefined ? [] : [append(unfinalized, block)]
  }

  /** Undoes the blocks that are not ancestors of `tip`. The next calls follow the new branch. */
  async function undoFork(
    { anchor, hashAt, undoAbove }: UnfinalizedBlocks,
    tip: Header,
  ): Promise<readonly ChainEvent[]> {
    let block = tip
    while (hashAt(block.number - 1n) !== block.parentHash) {
      if (block.number - 1n <= anchor().number) throw new ReorgTooDeepError(client.chain.id, block)
      const parentId = { number: block.number - 1n, hash: block.parentHash }
      const parent = await readHeaderOf(client, parentId, signal)
      // A further reorg happened meanwhile: the next call starts again from the new tip.
      if (parent === undefined) return []
      block = parent
    }
    return [{ type: 'reorg', undone: undoAbove(block.number - 1n) }]
  }

  async function finalize(unfinalized: UnfinalizedBlocks): Promise<readonly ChainEvent[]> {
    mustReadFinal = false
    const block = await readFollowedFinal(unfinalized)
    const { number } = unfinalized.head()
    nextFinality = number + finalityPause(number - (block?.number ?? finalHeight))
    if (block === undefined || block.number <= finalHeight) return []
    finalHeight = block.number
    unfinalized.finalize(block.number)
    return [{ type: 'finalized', block }]
  }

  /** The final block; undefined where the chain's final block is on another branch than the followed one. */
  async function readFollowedFinal({
    head,
    hashAt,
  }: UnfinalizedBlocks): Promise<BlockId | undefined> {
    const final = await readFinal(head().number, signal)
    if (final === undefined) return undefined
    const { number } = final
    const followed = hashAt(number)
    const hash = final.hash ?? followed
    const isFollowed = followed === undefined || followed === hash
    return hash !== undefined && isFollowed ? { number, hash } : undefined
  }

  const height = () => unfinalized?.head().number

  const isCaughtUp = () =>
    unfinalized !== undefined &&
    unfinalized.head().number >= tipHeight &&
    !isFinalityDue(unfinalized)

  const announce = (header: Header) => {
    announced = header
  }

  return { next, announce, height, isCaughtUp }
}

const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }

/** What was read before the first failure, in order. @throws the failure of the first */
async function untilFailure<Value>(reads: readonly Promise<Value>[]): Promise<readonly Value[]> {
  const values: Value[] = []
  for (const outcome of await Promise.allSettled(reads)) {
    if (outcome.status === 'fulfilled') values.push(outcome.value)
    else if (values.length === 0) throw outcome.reason
    else break
  }
  return values
}

/** The blocks up to the first that is missing or is not the child of the one before. */
function linked(headers: readonly (Header | undefined)[]): Header[] {
  const chain: Header[] = []
  for (const header of headers) {
    const last = chain.at(-1)
    if (header === undefined || (last !== undefined && header.parentHash !== last.hash)) break
    chain.push(header)
  }
  return chain
}
