import type { Hex, Log } from 'viem'
import {
  type Creation,
  type DiscoveredPool,
  type Factory,
  marketKindOf,
} from '#src/market/kinds/kinds.ts'

type CreationLog = Pick<Log, 'address' | 'data'> & Readonly<{ topics: readonly Hex[] }>

/**
 * The pools that `factory` created in these logs, if its configuration selects them. Ignores logs of other contracts.
 */
export const parsePoolCreations = (
  factory: Factory,
  logs: readonly CreationLog[],
): readonly DiscoveredPool[] => parseCreations(factory, logs).map(({ pool }) => pool)

/** As `parsePoolCreations`, with the read that verifies each pool at the factory. */
export function parseCreations(
  factory: Factory,
  logs: readonly CreationLog[],
): readonly Creation[] {
  const { creationTopic, parseCreations } = marketKindOf(factory)
  const own = logs.filter(
    ({ address, topics }) =>
      topics[0] === creationTopic && address.toLowerCase() === factory.factory,
  ) as Log[]
  // Few blocks create a pool, and parsing an empty list takes as long as parsing one log.
  if (own.length === 0) return []
  return parseCreations(factory, own)
    .filter(({ pool }) => isSelected(factory, pool))
    .map((creation) => ({ factory, ...creation }))
}

const isSelected = ({ pairs }: Factory, { currency0, currency1 }: DiscoveredPool): boolean =>
  pairs.length === 0 || pairs.some((pair) => pair.includes(currency0) && pair.includes(currency1))
