import { hexToBytes, numberToHex } from 'viem'
import type { BlockId, FollowedBlock } from '#src/chains/chainEvent.ts'
import type { ReadBlock } from '#src/chains/follow/chainFollower.ts'
import { createReadFinal } from '#src/chains/follow/finality.ts'
import { bloomOf, covers } from '#src/chains/read/bloom.ts'
import type { LogFilter } from '#src/chains/read/logFilter.ts'
import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import type { ChainRpc, Rpc } from '#src/chains/rpc/chainClient.ts'
import type { EndpointRpcs } from '#src/chains/rpc/endpoints.ts'
import { parseHeader, parseLogs } from '#src/chains/rpc/rpcAnswer.ts'
import { RpcRefusedError, UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'
import { createRangeLimit, type RangeLimit } from '#src/chains/search/rangeLimit.ts'
import { searchLogs } from '#src/chains/search/searchLogs.ts'
import type { Log } from '#src/config/log.ts'
import { ignoreFailure, reasonOf } from '#src/core/errors.ts'
import type { SwapReads } from '#src/requests/trackingStore.ts'
import { contractFilter, plainDepositFilters, spendingFilters } from './read/blockReader.ts'
import type { Tracked } from './read/trackedLogs.ts'
import type { Reconciler } from './reconcile.ts'

type Deps = Readonly<{
  client: ChainRpc
  log: Log
  findHeights: FindHeights
  readBlock: ReadBlock
  reconciler: Reconciler
}>

type Args = Readonly<{
  finalityDepth: number
  /** Heights of stored rows, which are always read: their blocks may be orphaned by now. */
  suspects: ReadonlySet<bigint>
}>

/** Minimum number of final blocks to read by ranges. Fewer are read one by one. */
const minBacklog = 64n
/** Blocks per search. The blocks found in it are processed before the next search. */
const partBlocks = 10_000n
/** Maximum number of found blocks that are read in parallel. */
const maxReadAhead = 16

type CatchUp = Readonly<{
  /**
   * Searches the logs of the final blocks above `from` by ranges. Passes `take` the blocks that may concern requests or
   * at which a stored row reaches its confirmations, lowest first. The skipped blocks would change nothing. Returns the
   * last block passed, or `from` if the backlog is small.
   * @throws what the store and the RPC throw. The blocks already passed to `take` remain processed.
   */
  run: (
    from: BlockId,
    take: (block: FollowedBlock) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<BlockId>
  /** Whether enough final blocks are above this height for `run` to read them by ranges. False while the RPC fails. */
  isFarBehind: (height: bigint, signal: AbortSignal) => Promise<boolean>
}>

export function createCatchUp(
  { client, log, findHeights, readBlock, reconciler }: Deps,
  { finalityDepth, suspects }: Args,
): CatchUp {
  const chainId = client.chain.id
  const readFinal = createReadFinal(client, { finalityDepth })
  /** Whether the last search by ranges was impossible. The blocks are then read one by one. */
  let isImpossible = false

  async function readAt(height: bigint, signal: AbortSignal): Promise<FollowedBlock> {
    const header = await readHeaderAt(client, height, signal)
    if (header === undefined) throw new UnusableAnswerError(`no node has block ${height}`)
    return readBlock(header, signal)
  }

  /** Processes the blocks at these heights, and the blocks between them at which a row reaches its confirmations. */
  async function takeAll(
    from: BlockId,
    heights: readonly bigint[],
    take: (block: FollowedBlock) => Promise<void>,
    signal: AbortSignal,
  ): Promise<BlockId> {
    let head = from

    async function takeNext(block: FollowedBlock): Promise<void> {
      signal.throwIfAborted()
      if (block.number === head.number + 1n && block.parentHash !== head.hash)
        throw new UnusableAnswerError(`block ${block.number} is not the child of ${head.hash}`)
      await take(block)
      head = { number: block.number, hash: block.hash }
    }

    for (let at = 0; at < heights.length; at += maxReadAhead) {
      const some = heights.slice(at, at + maxReadAhead)
      const blocks = await Promise.all(some.map((height) => readAt(height, signal)))
      for (const block of blocks) {
        for (
          let height = reconciler.confirmsAt();
          height !== undefined && height > head.number && height < block.number;
          height = reconciler.confirmsAt()
        )
          await takeNext(await readAt(height, signal))
        await takeNext(block)
      }
    }
    return head
  }

  async function readNewest(signal: AbortSignal) {
    const latest = await client.ask(latestBlock, parseHeader, signal)
    if (latest === undefined) return undefined
    const final = await readFinal(latest.number, signal)
    return final && { final: final.number, height: latest.number }
  }

  const findOrGiveUp: FindHeights = async (range, signal) => {
    const found = await findHeights(range, signal).catch((error: unknown) => {
      const isExpected = error instanceof RpcRefusedError || error instanceof MissingLogsError
      if (!isExpected) throw error
      log.warn(
        { chainId, reason: reasonOf(error) },
        'Cannot read logs by ranges; reading each block',
      )
      return undefined
    })
    isImpossible = found === undefined
    return found
  }

  async function run(...[start, take, signal]: Parameters<CatchUp['run']>): Promise<BlockId> {
    const newest = await readNewest(signal)
    if (newest === undefined || newest.final - start.number < minBacklog) return start
    const { final, height } = newest
    log.info({ chainId, from: start.number, to: final }, 'Reading a backlog of blocks by ranges')
    // The next block triggers the decisions that were already due.
    const { number, timestamp: since } = await readAt(start.number + 1n, signal)
    let head = await takeAll(start, [number], take, signal)
    while (head.number < final) {
      const from = head.number + 1n
      const last = from + partBlocks - 1n
      const to = last < final ? last : final
      const found = await findOrGiveUp({ from, to, since, height }, signal)
      if (found === undefined) return head
      const wanted = [...suspects].filter((each) => each >= from && each <= to)
      const heights = [...new Set([...found, ...wanted, to])]
      head = await takeAll(head, heights.sort(ascending), take, signal)
    }
    return head
  }

  return {
    run,
    isFarBehind: async (height, signal) => {
      if (isImpossible) return false
      const newest = await readNewest(signal).catch(ignoreFailure)
      return newest !== undefined && newest.final - height >= minBacklog
    },
  }
}

const ascending = (one: bigint, other: bigint): number => Number(one - other)

const latestBlock = { method: 'eth_getBlockByNumber', params: ['latest', false] }

type Client = ChainRpc & EndpointRpcs

type SearchDeps = Readonly<{ client: Client; store: SwapReads }>

/** An inclusive range of final blocks. */
type FinalRange = Readonly<{
  from: bigint
  to: bigint
  /** Timestamp of the first block, in seconds. */
  since: bigint
  /** Height of the newest block known. */
  height: bigint
}>

/**
 * Finds the heights of all blocks of a range with logs that may concern requests, in no order. Undefined if too many
 * requests await their user's own swap for a search per user.
 * @throws MissingLogsError; what the store and the RPC throw
 */
type FindHeights = (
  range: FinalRange,
  signal: AbortSignal,
) => Promise<ReadonlySet<bigint> | undefined>

/** No node has the logs of a block of the range. The message is for the log. */
class MissingLogsError extends Error {
  constructor(chainId: number, height: bigint) {
    super(`No node of chain ${chainId} has the logs of block ${height}`)
    this.name = 'MissingLogsError'
  }
}

/**
 * Maximum number of awaited swaps to search for. Beyond it, reading a usual backlog block by block needs fewer calls.
 */
const maxAwaited = 20_000

/** Endpoints searched per range. The second one finds logs that the first one leaves out. */
const askedEndpoints = 2

/** Learns the range size that each endpoint accepts: use one instance for all ranges of a chain. */
export function createFindHeights({ client, store }: SearchDeps, tracked: Tracked): FindHeights {
  const limits = new Map<Rpc, RangeLimit>()

  function limitOf(asked: Rpc): RangeLimit {
    const limit = limits.get(asked) ?? createRangeLimit()
    limits.set(asked, limit)
    return limit
  }

  /**
   * Whether the endpoint still has the logs of a block, as far as the block's bloom filter shows. An endpoint that has
   * pruned or not indexed the logs of old blocks may answer a range with no logs and no error.
   */
  async function hasLogsOf(asked: Rpc, height: bigint, signal: AbortSignal): Promise<boolean> {
    const header = await readHeaderAt(asked, height, signal)
    if (header === undefined) return false
    const blocks = { fromBlock: numberToHex(height), toBlock: numberToHex(height) }
    const request = { method: 'eth_getLogs', params: [blocks], minHeight: height }
    const logs = await asked.ask(request, parseLogs, signal)
    return logs !== undefined && covers(bloomOf(logs), hexToBytes(header.logsBloom ?? '0x'))
  }

  async function search(
    asked: Rpc,
    filters: readonly LogFilter[],
    { from, to, height }: FinalRange,
    signal: AbortSignal,
  ): Promise<readonly bigint[]> {
    if (!(await hasLogsOf(asked, from, signal))) throw new MissingLogsError(client.chain.id, from)
    const heights = new Set<bigint>()
    for (const filter of filters) {
      const wanted = { filter, from, to, height }
      const options = { limit: limitOf(asked), signal }
      for await (const { logs } of searchLogs({ ...asked, chain: client.chain }, wanted, options))
        for (const { blockNumber } of logs) heights.add(blockNumber)
    }
    return [...heights]
  }

  return async (range, signal) => {
    const terms = { now: Number(range.since), limit: maxAwaited }
    const payers = await store.allAwaitedPayers(tracked.chainId, terms)
    if (payers === undefined) return undefined
    const filters = [
      contractFilter(tracked),
      ...plainDepositFilters(tracked),
      ...spendingFilters(tracked, payers),
    ]
    const endpoints = client.endpoints
      .filter(({ isBackingOff }) => !isBackingOff())
      .slice(0, askedEndpoints)
    const found = await Promise.allSettled(
      endpoints.map((endpoint) => search(endpoint, filters, range, signal)),
    )
    signal.throwIfAborted()
    // One endpoint is enough while the other fails.
    const answers = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    return new Set(
      answers.length > 0 ? answers.flat() : await search(client, filters, range, signal),
    )
  }
}
