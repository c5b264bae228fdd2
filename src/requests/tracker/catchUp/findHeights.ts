import { hexToBytes, numberToHex } from 'viem'
import { bloomOf, covers } from '#src/chains/read/bloom.ts'
import type { LogFilter } from '#src/chains/read/logFilter.ts'
import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import type { ChainRpc, EndpointRpcs, Rpc } from '#src/chains/rpc/chainClient.ts'
import { parseLogs } from '#src/chains/rpc/rpcAnswer.ts'
import { createRangeLimit, type RangeLimit } from '#src/chains/search/rangeLimit.ts'
import { searchLogs } from '#src/chains/search/searchLogs.ts'
import {
  contractFilter,
  plainDepositFilters,
  spendingFilters,
} from '#src/requests/tracker/read/trackedFilters.ts'
import type { Tracked } from '#src/requests/tracker/read/trackedLogs.ts'
import type { SwapReads } from '#src/requests/trackingStore.ts'

type Client = ChainRpc & EndpointRpcs

type Deps = Readonly<{ client: Client; store: SwapReads }>

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
export type FindHeights = (
  range: FinalRange,
  signal: AbortSignal,
) => Promise<ReadonlySet<bigint> | undefined>

/** No node has the logs of a block of the range. The message is for the log. */
export class MissingLogsError extends Error {
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
export function createFindHeights({ client, store }: Deps, tracked: Tracked): FindHeights {
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
