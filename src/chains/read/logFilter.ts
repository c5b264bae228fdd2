import type { Hex } from 'viem'
import type { BlockLog } from '#src/chains/rpc/rpcAnswer.ts'
import type { Address } from '#src/core/units/address.ts'
import { fillOf, mayContain } from './bloom.ts'

/**
 * A filter of `eth_getLogs`: one of the addresses, and one of the topics at each position. `null` matches any topic.
 */
export type LogFilter = Readonly<{
  address?: Address | readonly Address[]
  topics: readonly (Hex | readonly Hex[] | null)[]
}>

type Logged = Pick<BlockLog, 'address' | 'topics'>

const listed = <Value extends Hex>(some: Value | readonly Value[]): readonly Value[] =>
  typeof some === 'string' ? [some] : some

export const isMatch = ({ address, topics }: LogFilter, log: Logged): boolean =>
  (address === undefined || listed(address).includes(log.address as Address)) &&
  topics.every((some, at) => {
    const topic = log.topics[at]
    return topic !== undefined ? some === null || listed(some).includes(topic) : false
  })

/** Whether the bloom filter may contain a match at every position. If false, the block has no matching log. */
export const mayMatch = ({ address, topics }: LogFilter, bloom: Uint8Array): boolean =>
  [address, ...topics].every(
    (some) => some == null || listed(some).some((item) => mayContain(bloom, item)),
  )

/** Logs count as incomplete if the probability of a false positive of the bloom filter is below this. */
const maxFalsePositive = 1 / 50

/**
 * Whether matching logs are probably missing in `logs`: the block's bloom filter contains a wanted first topic that
 * none of them has, and a match at every other position.
 */
export function seemsIncomplete(
  logs: readonly Logged[],
  { address, topics }: LogFilter,
  bloom: Uint8Array,
): boolean {
  const [first = null, ...others] = topics
  const present = new Set(logs.map((log) => log.topics[0]))
  // Without a wanted first topic, all logs were read.
  const missing = listed(first ?? []).filter(
    (topic) => !present.has(topic) && mayContain(bloom, topic),
  )
  if (missing.length === 0) return false
  if (!mayMatch({ ...(address && { address }), topics: [missing, ...others] }, bloom)) return false
  const places = [address, ...others].flatMap((some) => (some == null ? [] : [listed(some)]))
  const falsePositive = fillOf(bloom) ** 3
  return (
    places.reduce(
      (chance, { length }) => chance * Math.min(1, length * falsePositive),
      falsePositive ** missing.length,
    ) < maxFalsePositive
  )
}
