import { setTimeout } from 'node:timers/promises'
import { type Hex, hexToBytes, numberToHex } from 'viem'
import type { BlockId, FollowedBlock } from '#src/chains/chainEvent.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import { type BlockLog, type Header, parseHeader, parseLogs } from '#src/chains/rpc/rpcAnswer.ts'
import { UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'
import type { Log } from '#src/config/log.ts'
import { bloomOf, covers } from './bloom.ts'
import { isMatch, type LogFilter, seemsIncomplete } from './logFilter.ts'

/** The header at a height; undefined if no node has it. @throws what `ask` throws */
export const readHeaderAt = (
  { ask }: Rpc,
  number: bigint,
  signal?: AbortSignal,
): Promise<Header | undefined> =>
  ask(
    { method: 'eth_getBlockByNumber', params: [numberToHex(number), false] },
    (answer) => expectHeader(parseHeader(answer), (header) => header.number === number),
    signal,
  )

/** The header with this hash; undefined if no node has it, for example after a reorg. @throws what `ask` throws */
export const readHeaderOf = (
  { ask }: Rpc,
  { number, hash }: BlockId,
  signal?: AbortSignal,
): Promise<Header | undefined> =>
  ask(
    { method: 'eth_getBlockByHash', params: [hash, false] },
    (answer) =>
      expectHeader(
        parseHeader(answer),
        (header) => header.hash === hash && header.number === number,
      ),
    signal,
  )

/** Pauses between attempts to read logs that a node seems to lack: 3.1 s in total. */
const retryPausesMs = [100, 200, 400, 800, 1600]

type Deps = Readonly<{ client: Rpc; log: Log }>

/** The block with its logs of these topics, of any contract. @throws what `readLogsOf` throws */
export async function readBlockLogs(
  deps: Deps,
  header: Header,
  topics: readonly Hex[],
  signal: AbortSignal,
): Promise<FollowedBlock> {
  const logs =
    topics.length === 0 ? [] : await readLogsOf(deps, header, { topics: [topics] }, signal)
  return withLogs(header, logs)
}

export function withLogs(
  { logsBloom: _, ...block }: Header,
  logs: readonly BlockLog[],
): FollowedBlock {
  return { ...block, logs }
}

/**
 * The block's logs that match the filter, read by the block's hash. A node may know a block before it has indexed its
 * logs, or leave some out. If the block's bloom filter shows that the answer lacks logs, all logs of the block are
 * read, several times if necessary, until they match the bloom filter.
 * @throws what `ask` throws
 */
export async function readLogsOf(
  { client, log }: Deps,
  { logsBloom, ...block }: Header,
  filter: LogFilter,
  signal: AbortSignal,
): Promise<readonly BlockLog[]> {
  const read = (part: object, accept: (logs: readonly BlockLog[]) => boolean) =>
    client.ask(
      { method: 'eth_getLogs', params: [{ blockHash: block.hash, ...part }] },
      (answer) => {
        const logs = parseLogs(answer)
        expectInOrder(logs, block)
        return accept(logs) ? logs : undefined
      },
      signal,
    )
  const wanted = (logs: readonly BlockLog[]) => logs.filter((each) => isMatch(filter, each))
  const bloom = hexToBytes(logsBloom ?? '0x')
  const logs = await read(filter, (some) => !seemsIncomplete(some, filter, bloom))
  if (logs !== undefined) return wanted(logs)
  for (const ms of retryPausesMs) {
    const all = await read({}, (some) => covers(bloomOf(some), bloom))
    if (all !== undefined) return wanted(all)
    await setTimeout(ms, undefined, { signal })
  }
  const partial = await read(filter, () => true)
  log.warn(
    { block: block.number },
    'The logs of a block do not match its bloom filter; used as they are',
  )
  return wanted(partial ?? [])
}

/** @throws UnusableAnswerError for logs of another block, repeated logs or a wrong order */
function expectInOrder(logs: readonly BlockLog[], block: BlockId): void {
  let last = -1
  for (const { blockHash, blockNumber, logIndex, removed } of logs) {
    if (blockHash !== block.hash || blockNumber !== block.number || removed)
      throw new UnusableAnswerError('logs of another block')
    if (logIndex <= last) throw new UnusableAnswerError('logs out of order')
    last = logIndex
  }
}

/** @throws UnusableAnswerError for a header that was not requested */
function expectHeader(
  header: Header | undefined,
  isExpected: (header: Header) => boolean,
): Header | undefined {
  if (header !== undefined && !isExpected(header)) throw new UnusableAnswerError('another block')
  return header
}

/** A block with its timestamp in Unix seconds. */
type TimedBlock = BlockId & Readonly<{ timestamp: bigint }>

/**
 * The newest block up to `last` with a timestamp before `time` (Unix seconds); block 0 if none is that old. A binary
 * search, because timestamps never decrease: it reads about one header for each bit of the height.
 * @throws what `headerAt` throws
 */
export async function findBlockBefore<Header extends TimedBlock>(
  headerAt: (number: bigint) => Promise<Header>,
  time: bigint,
  last: Header,
): Promise<Header> {
  if (last.timestamp < time) return last
  let above = last.number
  let found = await headerAt(0n)
  while (above - found.number > 1n) {
    const middle = await headerAt((found.number + above) / 2n)
    if (middle.timestamp < time) found = middle
    else above = middle.number
  }
  return found
}
