import type { Hash } from 'viem'
import { chunksOf } from '#src/chains/chunksOf.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Creation } from '#src/market/kinds/kinds.ts'
import { inTurns } from '#src/market/reads/inTurns.ts'
import { readAll } from '#src/market/reads/readAll.ts'

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
