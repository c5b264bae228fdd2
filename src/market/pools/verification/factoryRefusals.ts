import type { Log as ChainLog, Hex } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError, RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { marketKindOf } from '#src/market/kinds/kinds.ts'
import type { PoolLog } from '#src/market/kinds/marketKind.ts'

type Sourced = Readonly<{ kind: Pool['kind']; source: Pool['source'] }>

/** The state of one pool as it was known and as it is on chain. */
export type Difference = Readonly<{
  known: Pool
  onChain: Pool
  /** Height of the last block at which the known state was compared with the chain and was right. */
  since: bigint
  /** Height of the block of both states. */
  at: bigint
}>

/** The factories of a chain whose pools cannot be followed, because their swaps emit an event that is not decoded. */
export type FactoryRefusals = Readonly<{
  accepts: (pool: Sourced) => boolean
  /** The reason of each refusal, for people. */
  reasons: () => readonly string[]
  /**
   * Reads the logs of a pool that differs from the chain, and refuses its factory if they contain an undecoded swap
   * event.
   * @returns whether the call refused the factory.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails.
   */
  inspect: (difference: Difference) => Promise<boolean>
}>

/** Maximum number of requests for the logs of one pool. Nodes limit the range of each, so older logs may be missed. */
const maxRequests = 12

export function createFactoryRefusals(
  { client, log }: Readonly<{ client: ChainClient; log: Log }>,
  { id: chainId, displayName, factories }: Pick<ChainConfig, 'id' | 'displayName' | 'factories'>,
): FactoryRefusals {
  const refused = new Map<string, string>()

  /**
   * Refuses a whole source, because a pool's state does not name its factory and all factories of a source share their
   * code.
   */
  function refuse({ kind, source, address }: Pool, topic: Hex): void {
    const addresses = factories
      .filter((each) => each.kind === kind && each.source === source)
      .map(({ factory }) => factory)
    const reason = `The pools of ${source} (factory ${addresses.join(', ')}) on ${displayName} are not used: ${address} swaps with an event that is not decoded, ${topic}`
    refused.set(keyOf({ kind, source }), reason)
    log.error({ chainId, source, pool: address, topic }, reason)
  }

  return {
    accepts: (pool) => refused.size === 0 || !refused.has(keyOf(pool)),
    reasons: () => [...refused.values()],
    inspect: async ({ known, onChain, since, at }) => {
      if (refused.has(keyOf(known))) return false
      // All pools of a manager share its decoded events, and its logs are those of all its pools.
      if (known.id !== undefined) return false
      const logs = await readLogs(client, known.address, since + 1n, at)
      const topic = undecodedSwapTopic(known, onChain, logs)
      if (topic === undefined) return false
      refuse(known, topic)
      return true
    },
  }
}

const keyOf = ({ kind, source }: Sourced): string => `${kind} ${source}`

/** The newest logs of a contract, in order. Halves the range after each refusal of a node. */
async function readLogs(
  client: ChainClient,
  address: Pool['address'],
  from: bigint,
  to: bigint,
): Promise<readonly ChainLog[]> {
  let found: readonly ChainLog[] = []
  let last = to
  let span = to - from + 1n
  for (let requests = 0; requests < maxRequests && last >= from; requests++) {
    const first = last - span + 1n > from ? last - span + 1n : from
    try {
      const logs = await client.getLogs({ address, fromBlock: first, toBlock: last })
      found = [...logs, ...found]
      last = first - 1n
    } catch (error) {
      const isRefused = error instanceof RpcRefusedError || error instanceof RpcUnavailableError
      if (!isRefused || span === 1n) throw error
      span /= 2n
    }
  }
  return found
}

/**
 * The topic of an undecoded event that must have moved the price of a pool, because no decoded event explains the price
 * on chain. Undefined if the price did not move, if the last decoded event contains the price (an RPC endpoint must
 * have hidden it before), or if the pool emitted no unknown event.
 * @param logs all logs of the pool since its state was last right, in order.
 */
export function undecodedSwapTopic(
  known: Pool,
  onChain: Pool,
  logs: readonly PoolLog[],
): Hex | undefined {
  const { events, priceTopics, otherTopics, price: priceOf } = marketKindOf(known)
  const price = priceOf(onChain)
  if (priceOf(known) === price) return undefined
  const lastLog = logs.findLast(
    ({ topics: [topic] }) => topic !== undefined && priceTopics.has(topic),
  )
  if (lastLog !== undefined && loggedPrice(known, lastLog) === price) return undefined
  const isUnknown = (topic: Hex) => !events.has(topic) && !otherTopics.has(topic)
  const unknown = logs.findLast(({ topics: [topic] }) => topic !== undefined && isUnknown(topic))
  return unknown?.topics[0]
}

/** The price after a log. Undefined if the log's data does not fit its topic. */
function loggedPrice(known: Pool, log: PoolLog): string | undefined {
  const { events, price } = marketKindOf(known)
  try {
    const after = events.get(log.topics[0] ?? '0x')?.(known, log)
    return after && price(after)
  } catch {
    return undefined
  }
}
