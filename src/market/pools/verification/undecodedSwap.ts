import type { Hex } from 'viem'
import { marketKindOf } from '#src/market/pools/kinds/kinds.ts'
import type { PoolLog } from '#src/market/pools/kinds/marketKind.ts'
import type { Pool } from '#src/pools/pool.ts'

/**
 * The topic of the event that must have moved the price of a pool, where nothing that is decoded explains the price on
 * chain: such a pool swaps with an event of its own. Undefined if the price did not move, if a decoded event tells it
 * (which an RPC then hid before), or if the pool emitted no unknown event.
 * @param logs All logs of the pool since its state was last right, in order.
 */
export function undecodedSwapTopic(
  known: Pool,
  onChain: Pool,
  logs: readonly PoolLog[],
): Hex | undefined {
  const { events, priceTopics, otherTopics, price: priceOf } = marketKindOf(known)
  const price = priceOf(onChain)
  if (priceOf(known) === price) return undefined
  const told = logs.findLast(({ topics: [topic] }) => topic !== undefined && priceTopics.has(topic))
  if (told !== undefined && toldPrice(known, told) === price) return undefined
  const isUnknown = (topic: Hex) => !events.has(topic) && !otherTopics.has(topic)
  const unknown = logs.findLast(({ topics: [topic] }) => topic !== undefined && isUnknown(topic))
  return unknown?.topics[0]
}

/** Undefined for a log that has the topic of an event and not its data. */
function toldPrice(known: Pool, log: PoolLog): string | undefined {
  const { events, price } = marketKindOf(known)
  try {
    const after = events.get(log.topics[0] ?? '0x')?.(known, log)
    return after && price(after)
  } catch {
    return undefined
  }
}
