import { numberToHex } from 'viem'
import { backOff } from '#src/chains/backoff.ts'
import type { BlockId } from '#src/chains/chainEvent.ts'
import { isMatch, type LogFilter } from '#src/chains/read/logFilter.ts'
import { readHeaderAt, readHeaderOf } from '#src/chains/read/readBlock.ts'
import type { ChainRpc } from '#src/chains/rpc/chainClient.ts'
import { type BlockLog, parseHeight, parseLogs } from '#src/chains/rpc/rpcAnswer.ts'
import {
  RpcRefusedError,
  RpcUnavailableError,
  UnusableAnswerError,
} from '#src/chains/rpc/rpcError.ts'
import type { Log } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'
import { createRangeLimit, type RangeLimit } from './rangeLimit.ts'
import type { LogSearch, SearchState, SearchStore } from './searchStore.ts'

/** Another process has advanced the search. */
class SearchTakenError extends AppError {
  constructor({ chainId }: LogSearch) {
    super('SERVICE_UNAVAILABLE', `Another process searches chain ${chainId}.`, { chainId })
  }
}

type Deps = Readonly<{ client: ChainRpc; log: Log; store: SearchStore }>

type ResumeArgs = Readonly<{
  /** The first block to search, and the last, which is final. */
  range: Readonly<{ from: bigint; final: BlockId }>
  /** Height of the newest block. */
  height: bigint
  /** Range limit from an earlier search of the chain. Used if this search has stored none. */
  learnt: bigint | undefined
  /** Called at the start, and after each part that is stored. */
  onProgress: (state: SearchState) => void
  signal: AbortSignal
}>

/**
 * Resumes a stored search, or begins a new one, up to a final block. Stores each part after its read.
 * @throws what the store and the RPC throw, and SearchTakenError. The next call resumes from the stored state.
 */
export async function resumeSearch(
  { client, log, store }: Deps,
  search: LogSearch,
  { range, height, learnt, onProgress, signal }: ResumeArgs,
): Promise<SearchState> {
  const { chainId, address, topic } = search
  const stored = await store.findSearch(search)
  const isUseless =
    stored !== undefined &&
    (stored.first > range.from || (await isGone(client, stored.anchor, signal)))
  if (isUseless) {
    const { first, next, anchor } = stored
    log.warn(
      { chainId, address, first, next, anchor },
      'A stored search does not match the chain or its configuration; searching from the start',
    )
    await store.forgetSearch(search)
  }
  const begun =
    stored !== undefined && !isUseless ? stored : beginningAt(range.from, createRangeLimit(learnt))
  if (begun !== stored) await store.beginSearch(search, begun)
  let state = begun
  onProgress(state)
  const limit = createRangeLimit(stored?.span ?? learnt)
  const { final } = range
  const filter = { address, topics: [topic] }
  const wanted = { filter, height, from: state.next, to: final.number }
  for await (const { to, logs } of searchLogs(client, wanted, { limit, signal })) {
    const anchor = to === final.number ? final : (blockOf(logs.at(-1)) ?? state.anchor)
    const found = state.found + logs.length
    const after = state.next
    state = { ...state, next: to + 1n, anchor, span: limit.learnt(), found }
    if (!(await store.advanceSearch(search, { after, state, logs })))
      throw new SearchTakenError(search)
    onProgress(state)
    signal.throwIfAborted()
  }
  return state
}

const beginningAt = (from: bigint, limit: Readonly<{ learnt: () => bigint }>): SearchState => ({
  first: from,
  next: from,
  anchor: undefined,
  span: limit.learnt(),
  found: 0,
})

const blockOf = (log: BlockLog | undefined): BlockId | undefined =>
  log && { number: log.blockNumber, hash: log.blockHash }

/**
 * Whether a final block is no longer in the chain. Requires two answers, so that one wrong answer cannot discard a
 * search of hours. The result is false if a lagging node has no block at that height.
 */
async function isGone(
  client: Deps['client'],
  block: BlockId | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (block === undefined) return false
  const present = await readHeaderAt(client, block.number, signal)
  if (present === undefined || present.hash === block.hash) return false
  return (await readHeaderOf(client, block, signal)) === undefined
}

type Client = ChainRpc

type Wanted = Readonly<{
  filter: LogFilter
  /** Height of the newest known block. */
  height: bigint
}>

/** Inclusive. */
type Range = Readonly<{ from: bigint; to: bigint }>

type SearchedRange = Range & Readonly<{ logs: readonly BlockLog[] }>

/** After this many failures of a range while the nodes answer other requests, the range counts as too large. */
const failuresOfRange = 3

/**
 * Searches a range of blocks, the lowest first, in parts as large as the nodes answer.
 * @throws RpcUnavailableError during an outage; EndpointsBehindError while all endpoints are behind; RpcRefusedError if
 * a single block is refused. The yielded parts stay valid.
 */
export async function* searchLogs(
  client: Client,
  wanted: Wanted & Range,
  { limit, signal }: Readonly<{ limit: RangeLimit; signal: AbortSignal }>,
): AsyncGenerator<SearchedRange, void, undefined> {
  let failures = 0
  for (let from = wanted.from; from <= wanted.to; ) {
    const last = from + limit.span() - 1n
    const range = { from, to: last < wanted.to ? last : wanted.to }
    const size = range.to - range.from + 1n
    try {
      const logs = await readLogs(client, wanted, range, signal)
      limit.accept(size)
      failures = 0
      yield { ...range, logs }
      from = range.to + 1n
    } catch (error) {
      if (error instanceof RpcUnavailableError) {
        // This request throws during an outage, which must not change the learnt range.
        await client.ask(blockNumber, parseHeight, signal)
        failures += 1
        if (failures % failuresOfRange === 0 && !limit.refuse(size)) throw error
        await backOff(failures, signal)
      } else if (!(error instanceof RpcRefusedError && limit.refuse(size))) throw error
    }
  }
}

const blockNumber = { method: 'eth_blockNumber', params: [] }

async function readLogs(
  { ask, chain }: Client,
  { filter, height }: Wanted,
  range: Range,
  signal: AbortSignal,
): Promise<readonly BlockLog[]> {
  const blocks = { fromBlock: numberToHex(range.from), toBlock: numberToHex(range.to) }
  const spare = range.to + nodesDiffer
  const request = {
    method: 'eth_getLogs',
    params: [{ ...filter, ...blocks }],
    minHeight: spare < height ? spare : height,
  }
  const logs = await ask(
    request,
    (answer) => {
      const logs = parseLogs(answer)
      expectWanted(logs, { filter, ...range })
      return logs
    },
    signal,
  )
  if (logs === undefined) throw new EndpointsBehindError(chain.id, range.to)
  return logs
}

/**
 * In blocks. The heights of the nodes behind one URL may differ by this, so a range must end this far below the
 * reported height.
 */
export const nodesDiffer = 4n

/** No endpoint has the last block of a range yet. */
class EndpointsBehindError extends AppError {
  constructor(chainId: number, block: bigint) {
    super('RPC_HTTP_ERROR', `No RPC endpoint of chain ${chainId} has block ${block} yet.`, {
      chainId,
    })
  }
}

/** @throws UnusableAnswerError for logs that were not asked for, repeated logs or a wrong order */
function expectWanted(logs: readonly BlockLog[], wanted: Omit<Wanted, 'height'> & Range): void {
  let last = { blockNumber: -1n, logIndex: -1 }
  for (const log of logs) {
    const { blockNumber, logIndex } = log
    const isInRange = blockNumber >= wanted.from && blockNumber <= wanted.to
    if (!isInRange || !isMatch(wanted.filter, log))
      throw new UnusableAnswerError('logs that were not asked for')
    if (log.removed) throw new UnusableAnswerError('logs of an orphaned block')
    const isLater =
      blockNumber > last.blockNumber ||
      (blockNumber === last.blockNumber && logIndex > last.logIndex)
    if (!isLater) throw new UnusableAnswerError('logs out of order')
    last = { blockNumber, logIndex }
  }
}

/** Number of blocks in one request, unless nodes allow fewer. */
const maxBlocks = 1_000n

/**
 * The last log that `isWanted` chooses in an inclusive range of blocks; undefined if there is none. Searches backwards,
 * in ranges as large as the nodes answer.
 * @throws RpcUnavailableError or RpcRefusedError when the nodes fail
 */
export async function findLastLog<Log>(
  getLogs: (range: Readonly<{ fromBlock: bigint; toBlock: bigint }>) => Promise<readonly Log[]>,
  isWanted: (log: Log) => boolean,
  { from, to }: Readonly<{ from: bigint; to: bigint }>,
): Promise<Log | undefined> {
  let last = to
  let span = maxBlocks
  while (last >= from) {
    const first = last - span + 1n > from ? last - span + 1n : from
    try {
      const found = (await getLogs({ fromBlock: first, toBlock: last })).findLast(isWanted)
      if (found !== undefined) return found
      last = first - 1n
    } catch (error) {
      // Nodes limit the range, the number of logs or the time, each with its own message.
      if (!(error instanceof AppError) || span === 1n) throw error
      span /= 2n
    }
  }
  return undefined
}
