import type { Hash, Hex, Log } from 'viem'
import { chunksOf } from '#src/chains/chunksOf.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import {
  type Creation,
  type DiscoveredPool,
  type Factory,
  marketKindOf,
} from '#src/market/kinds/kinds.ts'
import { inTurns } from '#src/market/reads/inTurns.ts'
import { readAll } from '#src/market/reads/readAll.ts'

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

/** Pools in one multicall. */
const creationsPerRead = 500
/** Number of multicalls that are sent in parallel. */
const maxReads = 16

/**
 * Whether each pool is the one that its factory returns for the pool's currencies and fee tier at a block. Undefined if
 * the factory does not answer.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function askFactories(
  client: ChainClient,
  creations: readonly Creation[],
  blockHash: Hash,
): Promise<readonly (boolean | undefined)[]> {
  const known: (boolean | undefined)[] = []
  for (const batch of chunksOf(creations, maxReads * creationsPerRead)) {
    const chunks = chunksOf(batch, creationsPerRead)
    const answers = await inTurns(chunks, (chunk) => askOnce(client, chunk, blockHash))
    known.push(...answers.flat())
  }
  return known
}

async function askOnce(client: ChainClient, creations: readonly Creation[], blockHash: Hash) {
  const reads = { addresses: creations.map(({ readAddress }) => readAddress()) }
  const { addresses } = await readAll(client, reads, blockHash)
  return creations.map(({ pool }, at) => {
    const address = addresses[at]
    return address && address.toLowerCase() === pool.address
  })
}
