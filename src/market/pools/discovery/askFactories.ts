import type { Hash } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Creation } from '#src/market/pools/kinds/kinds.ts'
import { readAll } from '#src/market/reads/readAll.ts'

/** Sent at the same time, in few multicalls. */
const creationsPerRead = 2_000

/**
 * Whether each pool is the one that its factory names for its currencies and fee tier, at a block. Undefined where the
 * factory does not answer.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function askFactories(
  client: ChainClient,
  creations: readonly Creation[],
  blockHash: Hash,
): Promise<readonly (boolean | undefined)[]> {
  const known: (boolean | undefined)[] = []
  for (let at = 0; at < creations.length; at += creationsPerRead) {
    const batch = creations.slice(at, at + creationsPerRead)
    const { addresses } = await readAll(
      client,
      { addresses: batch.map(({ readAddress }) => readAddress()) },
      blockHash,
    )
    for (const [index, { pool }] of batch.entries()) {
      const address = addresses[index]
      known.push(address && address.toLowerCase() === pool.address)
    }
  }
  return known
}
