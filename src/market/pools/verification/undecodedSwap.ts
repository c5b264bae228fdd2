import type { Hex } from 'viem'
import type { Pool } from '#src/core/pools/pool.ts'
import { marketKindOf } from '#src/market/kinds/kinds.ts'
import type { PoolLog } from '#src/market/kinds/marketKind.ts'

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
