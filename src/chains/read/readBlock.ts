import { setTimeout as pause } from 'node:timers/promises'
import { type Hex, hexToBytes, numberToHex } from 'viem'
import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import type { BlockId } from '#src/chains/follow/unfinalizedBlocks.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type BlockLog, type Header, parseHeader, parseLogs } from '#src/chains/rpc/rpcAnswer.ts'
import { UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'
import type { Log } from '#src/log.ts'
import { bloomOf, covers, fillOf, mayHold } from './bloom.ts'

type Rpc = Pick<ChainClient, 'ask'>

/** @throws what `ask` throws; `undefined` when no node has such a block (yet). */
export const readHeaderAt = (
  { ask }: Rpc,
  number: bigint,
  signal: AbortSignal,
): Promise<Header | undefined> =>
  ask(
    { method: 'eth_getBlockByNumber', params: [numberToHex(number), false] },
    (answer) => expectHeader(parseHeader(answer), (header) => header.number === number),
    signal,
  )

/** @throws what `ask` throws; `undefined` when no node has such a block (any more). */
export const readHeaderOf = (
  { ask }: Rpc,
  { number, hash }: BlockId,
  signal: AbortSignal,
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

/** Pauses between the questions for logs that a node seems not to have yet: 3 s in all. */
const pausesMs = [100, 200, 400, 800, 1600]

/**
 * The block with its logs of these topics, asked for by its hash, so that they are of this block
 * and no other. A node may know a block before it can tell its logs, or leave some out: when the
 * block's bloom speaks of topics that no log has, all its logs are read until they make up the bloom.
 * @throws what `ask` throws.
 */
export async function readBlockLogs(
  { client, log }: Readonly<{ client: Rpc; log: Log }>,
  { logsBloom, ...block }: Header,
  topics: readonly Hex[],
  signal: AbortSignal,
): Promise<FollowedBlock> {
  if (topics.length === 0) return { ...block, logs: [] }
  const read = (filter: object, accept: (logs: readonly BlockLog[]) => boolean) =>
    client.ask(
      { method: 'eth_getLogs', params: [{ blockHash: block.hash, ...filter }] },
      (answer) => {
        const logs = parseLogs(answer)
        expectInOrder(logs, block)
        return accept(logs) ? logs : undefined
      },
      signal,
    )
  const bloom = hexToBytes(logsBloom ?? '0x')
  const logs = await read({ topics: [topics] }, (some) => !seemsToLack(some, topics, bloom))
  if (logs !== undefined) return { ...block, logs: logs.filter(hasTopic(topics)) }
  for (const ms of pausesMs) {
    const all = await read({}, (some) => covers(bloomOf(some), bloom))
    if (all !== undefined) return { ...block, logs: all.filter(hasTopic(topics)) }
    await pause(ms, undefined, { signal })
  }
  const few = await read({ topics: [topics] }, () => true)
  log.warn(
    { block: block.number },
    'The logs of a block do not make up its bloom; taken as they are',
  )
  return { ...block, logs: (few ?? []).filter(hasTopic(topics)) }
}

/** All logs of a block are read when it is less likely than this that the bloom alone misleads. */
const falseAlarmChance = 1 / 50

function seemsToLack(
  logs: readonly BlockLog[],
  topics: readonly Hex[],
  bloom: Uint8Array,
): boolean {
  const told = new Set(logs.map((log) => log.topics[0]))
  const untold = topics.filter((topic) => !told.has(topic) && mayHold(bloom, topic))
  return untold.length > 0 && fillOf(bloom) ** (3 * untold.length) < falseAlarmChance
}

const hasTopic =
  (topics: readonly Hex[]) =>
  ({ topics: [topic] }: BlockLog): boolean =>
    topic !== undefined && topics.includes(topic)

/** @throws UnusableAnswerError for logs of another block, or twice, or out of order */
function expectInOrder(logs: readonly BlockLog[], block: BlockId): void {
  let last = -1
  for (const { blockHash, blockNumber, logIndex, removed } of logs) {
    if (blockHash !== block.hash || blockNumber !== block.number || removed)
      throw new UnusableAnswerError('logs of another block')
    if (logIndex <= last) throw new UnusableAnswerError('logs out of order')
    last = logIndex
  }
}

/** @throws UnusableAnswerError for another block than was asked for */
function expectHeader(
  header: Header | undefined,
  isAsked: (header: Header) => boolean,
): Header | undefined {
  if (header !== undefined && !isAsked(header)) throw new UnusableAnswerError('another block')
  return header
}
