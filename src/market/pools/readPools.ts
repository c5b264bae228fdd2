import { isDeepStrictEqual } from 'node:util'
import type { Hash } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import type { PoolId } from '#src/core/pools/poolKind.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type DiscoveredPool, marketKindOf } from '#src/market/kinds/kinds.ts'
import { readTogether } from '#src/market/reads/reading.ts'

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

/**
 * Compares pools with the chain. `same`: the pools whose known state is right. `confirmed`: the new states of other
 * pools, each confirmed by a second read, because a node that is importing the next block sometimes answers with parts
 * of that block's state.
 * @param known the known state of each pool; undefined if unknown.
 */
export async function readTwice(
  read: (ids: readonly PoolId[]) => Promise<ReadonlyMap<PoolId, Pool>>,
  known: ReadonlyMap<PoolId, Pool | undefined>,
): Promise<Readonly<{ same: readonly PoolId[]; confirmed: readonly Pool[] }>> {
  const found = await read([...known.keys()])
  const isSame = (id: PoolId) => isDeepStrictEqual(found.get(id), known.get(id))
  const same = [...found.keys()].filter(isSame)
  const sameOnes = new Set(same)
  const different = [...found.keys()].filter((id) => !sameOnes.has(id))
  const again = await read(different)
  const confirmed = different.flatMap((id) => {
    const pool = again.get(id)
    return pool !== undefined && isDeepStrictEqual(pool, found.get(id)) ? [pool] : []
  })
  return { same, confirmed }
}
