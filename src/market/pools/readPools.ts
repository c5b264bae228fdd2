import type { Hash } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { readTogether } from '#src/market/reads/reading.ts'
import type { Pool } from '#src/pools/pool.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { type DiscoveredPool, marketKindOf } from './kinds/kinds.ts'

/**
 * The states of pools at one block, by one multicall for the fields and a few calls for the ticks of the concentrated
 * ones. Leaves out pools that cannot be read or whose fields contradict each other.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function readPools(
  { client, chainId }: Readonly<{ client: ChainClient; chainId: ChainId }>,
  found: readonly DiscoveredPool[],
  blockHash: Hash,
): Promise<readonly Pool[]> {
  const context = { client, chainId, blockHash }
  const readings = found.map((pool) => marketKindOf(pool).readState(pool, context))
  const states = await Promise.all(await readTogether(client, readings, blockHash))
  return states.filter((pool) => pool !== undefined)
}
