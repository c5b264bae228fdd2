import type { Hex } from 'viem'
import type { ChainEvent, FollowedBlock } from '#src/chains/chainEvent.ts'
import { readBlockLogs, readHeaderAt, readHeaderOf } from '#src/chains/read/readBlock.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Header, parseHeader } from '#src/chains/rpc/rpcAnswer.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import type { Log } from '#src/log.ts'
import { type BlockId, createTrail, type Trail } from './unfinalizedBlocks.ts'

/**
 * A reorg undid a block that counts as final, the one that following began with, or more blocks than
 * are remembered: what was built from the events cannot be mended. Read the state anew and follow from there.
 */
export class ReorgTooDeepError extends Error {
  constructor(chainId: number, fork: BlockId) {
    super(`Chain ${chainId} was reorganised down to block ${fork.number} (${fork.hash}) or below`)
    this.name = 'ReorgTooDeepError'
  }
}

export type TrackerArgs = Readonly<{
  /** First topics of the logs wanted, of any contract: the consumer picks its addresses. */
  topics: readonly Hex[]
  /**
   * Blocks that are remembered for reorgs; on a chain without a `finalized` tag also the depth at
   * which a block counts as final.
   */
  finalityDepth: number
  /**
   * The last block that the consumer knows; without it the first event is the chain's latest block.
   * While the chain is shorter than that, its node is taken to lag behind and is waited for.
   */
  from?: BlockId
  signal: AbortSignal
}>

/** Missing blocks are read so many at once. */
const readAhead = 16n

export type ChainTracker = Readonly<{
  /**
   * The next events, in order; empty when there is nothing new. With `eager` a URL whose latest
   * block is the one that we know is not believed before the others are asked.
   * @throws AppError when the RPC fails: nothing is lost, call again. ReorgTooDeepError
   */
  next: (eager: boolean) => Promise<readonly ChainEvent[]>
  /** Height of the last block that was followed. */
  height: () => bigint | undefined
}>

/** Where one follows a chain: each call moves on by a block, a reorg, or news of what is final. */
export function createChainTracker(
  { client, log }: Readonly<{ client: ChainClient; log: Log }>,
  { topics, finalityDepth, from, signal }: TrackerArgs,
): ChainTracker {
  let trail = from && createTrail(from, finalityDepth)
  /** Read ahead: each is the child of the one before, the first that of the head. */
  let ahead: FollowedBlock[] = []
  /** Height of the latest block that a node told of. */
  let tipHeight = 0n
  let finalHeight = -1n
  let knowsFinalTag = false
  let finalityIsDue = false

  const withLogs = (header: Header) => readBlockLogs({ client, log }, header, topics, signal)

  async function next(eager: boolean): Promise<readonly ChainEvent[]> {
    if (trail === undefined) return begin()
    const block = ahead.shift()
    if (block !== undefined) return [follow(trail, block)]
    if (finalityIsDue && trail.head().number >= tipHeight) return settle(trail)
    const tip = await readTip(trail, eager)
    if (tip === undefined) return []
    tipHeight = tip.number
    const { head } = trail
    if (tip.parentHash === head().hash) return [follow(trail, await withLogs(tip))]
    return tip.number > head().number + 1n ? catchUp(trail, tip) : turnTo(trail, tip)
  }

  async function begin(): Promise<readonly ChainEvent[]> {
    const tip = await client.ask(latest, parseHeader, signal)
    if (tip === undefined) return []
    const block = await withLogs(tip)
    trail = createTrail(block, finalityDepth)
    tipHeight = tip.number
    finalityIsDue = true
    return [{ type: 'block', block }]
  }

  function follow({ push }: Trail, block: FollowedBlock): ChainEvent {
    push(block)
    finalityIsDue = true
    return { type: 'block', block }
  }

  /**
   * The latest block if it is news. A node that lags behind names a block that we passed: that is no
   * reorg, and another URL may know more. The same height with another hash is one.
   */
  async function readTip(
    { head, anchor, hashAt }: Trail,
    eager: boolean,
  ): Promise<Header | undefined> {
    const isNews = ({ number, hash }: Header) =>
      number >= anchor().number && hashAt(number) !== hash
    const tip = await client.ask(
      latest,
      (answer) => {
        const header = parseHeader(answer)
        if (header === undefined || isNews(header)) return header
        return header.hash === head().hash && !eager ? header : undefined
      },
      signal,
    )
    return tip !== undefined && isNews(tip) ? tip : undefined
  }

  /** Reads the blocks between the head and `tip`, and goes on with the first of them. */
  async function catchUp(trail: Trail, tip: Header): Promise<readonly ChainEvent[]> {
    const { number, hash } = trail.head()
    const count = Number(tip.number - number < readAhead ? tip.number - number : readAhead)
    const heights = Array.from({ length: count }, (_, at) => number + BigInt(at) + 1n)
    const headers = await Promise.all(heights.map((height) => readHeaderAt(client, height, signal)))
    const [first] = headers
    if (first === undefined) return []
    if (first.parentHash !== hash) return turnTo(trail, first)
    const [block, ...rest] = await Promise.all(linked(headers).map(withLogs))
    ahead = rest
    return block === undefined ? [] : [follow(trail, block)]
  }

  /** Undoes what is not on the branch of `tip`; its blocks come with the next calls. */
  async function turnTo(
    { anchor, hashAt, undoAbove }: Trail,
    tip: Header,
  ): Promise<readonly ChainEvent[]> {
    let block = tip
    while (hashAt(block.number - 1n) !== block.parentHash) {
      if (block.number - 1n <= anchor().number) throw new ReorgTooDeepError(client.chain.id, block)
      const parentId = { number: block.number - 1n, hash: block.parentHash }
      const parent = await readHeaderOf(client, parentId, signal)
      // The chain turned again meanwhile: the next look at its tip starts afresh.
      if (parent === undefined) return []
      block = parent
    }
    return [{ type: 'reorg', undone: undoAbove(block.number - 1n) }]
  }

  async function settle(trail: Trail): Promise<readonly ChainEvent[]> {
    finalityIsDue = false
    const block = await readFinal(trail)
    if (block === undefined || block.number <= finalHeight) return []
    finalHeight = block.number
    trail.settle(block.number)
    return [{ type: 'finalized', block }]
  }

  /** By the chain's own word if it ever gave one, else by depth. `undefined` while that is not ours. */
  async function readFinal({ head, hashAt }: Trail): Promise<BlockId | undefined> {
    const tagged = await client.ask(finalized, parseHeader, signal).catch(orUndefinedIfRefused)
    knowsFinalTag ||= tagged !== undefined
    if (tagged === undefined) {
      const number = head().number - BigInt(finalityDepth)
      const hash = hashAt(number)
      return knowsFinalTag || hash === undefined ? undefined : { number, hash }
    }
    // Where blocks are final at once, the tag runs ahead of us: then our head is final if it is on that chain.
    const isAhead = tagged.number > head().number
    const final = isAhead ? await readHeaderAt(client, head().number, signal) : tagged
    if (final === undefined) return undefined
    const { number, hash } = final
    return (hashAt(number) ?? hash) === hash ? { number, hash } : undefined
  }

  return { next, height: () => trail?.head().number }
}

const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
const finalized = { method: 'eth_getBlockByNumber', params: ['finalized', false] }

function orUndefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof RpcRefusedError)) throw error
}

/** The blocks up to the first that is not there or not the child of the one before. */
function linked(headers: readonly (Header | undefined)[]): Header[] {
  const chain: Header[] = []
  for (const header of headers) {
    const last = chain.at(-1)
    if (header === undefined || (last !== undefined && header.parentHash !== last.hash)) break
    chain.push(header)
  }
  return chain
}
