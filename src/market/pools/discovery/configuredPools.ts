import { type Hash, zeroAddress } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { toAddress } from '#src/core/units/address.ts'
import { type DiscoveredPool, type Factory, marketKindOf } from '#src/market/kinds/kinds.ts'
import { readAll } from '#src/market/reads/readAll.ts'

/**
 * The pools of the configured pairs of `factory` that exist at a block.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function findConfiguredPools(
  client: ChainClient,
  factory: Factory,
  blockHash: Hash,
): Promise<readonly DiscoveredPool[]> {
  const { candidates: candidatesOf } = marketKindOf(factory)
  const candidates = factory.pairs.flatMap(([one, other]) =>
    one < other ? candidatesOf(factory, one, other) : candidatesOf(factory, other, one),
  )
  const { addresses } = await readAll(
    client,
    { addresses: candidates.map(({ readAddress }) => readAddress) },
    blockHash,
  )
  return candidates.flatMap(({ toPool }, at) => {
    const address = addresses[at]
    const exists = address !== undefined && address !== zeroAddress
    return exists ? [toPool(toAddress(address))] : []
  })
}
