import type { Hash, Hex } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { uniswapV2FactoryAbi, uniswapV3FactoryAbi } from '#src/contracts/abis.ts'
import { type Read, read, readAll } from '#src/market/reads/readAll.ts'
import type { Creation } from './discoveredPool.ts'

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
    const { addresses } = await readAll(client, { addresses: batch.map(readAddress) }, blockHash)
    for (const [index, { pool }] of batch.entries()) {
      const address = addresses[index]
      known.push(address && address.toLowerCase() === pool.address)
    }
  }
  return known
}

function readAddress({ factory, pool, feeTier }: Creation): Read<Hex> {
  const { currency0, currency1 } = pool
  return feeTier === undefined
    ? read(factory.factory, uniswapV2FactoryAbi, 'getPair', [currency0, currency1])
    : read(factory.factory, uniswapV3FactoryAbi, 'getPool', [currency0, currency1, feeTier])
}
