import { numberToHex } from 'viem'
import { backOff } from '#src/chains/backoff.ts'
import { isMatch, type LogFilter } from '#src/chains/read/logFilter.ts'
import type { ChainRpc } from '#src/chains/rpc/chainClient.ts'
import { type BlockLog, parseHeight, parseLogs } from '#src/chains/rpc/rpcAnswer.ts'
import {
  RpcRefusedError,
  RpcUnavailableError,
  UnusableAnswerError,
} from '#src/chains/rpc/rpcError.ts'
import { AppError } from '#src/core/errors.ts'
import type { RangeLimit } from './rangeLimit.ts'

type Client = ChainRpc

type Wanted = Readonly<{
  filter: LogFilter
  /** Height of the newest known block. */
  height: bigint
}>

/** Inclusive. */
type Range = Readonly<{ from: bigint; to: bigint }>

export type SearchedRange = Range & Readonly<{ logs: readonly BlockLog[] }>

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
