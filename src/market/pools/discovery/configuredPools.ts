import { type Hash, type Hex, zeroAddress } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { uniswapV2FactoryAbi, uniswapV3FactoryAbi } from '#src/contracts/abis.ts'
import { type Read, read, readAll } from '#src/market/reads/readAll.ts'
import { type Address, toAddress } from '#src/units/address.ts'
import type { DiscoveredPool, Factory } from './discoveredPool.ts'

/**
 * The pools of the configured pairs of `factory` that exist at a block.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function findConfiguredPools(
  client: ChainClient,
  factory: Factory,
  blockHash: Hash,
): Promise<readonly DiscoveredPool[]> {
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

/** A pool that may exist. */
type Candidate = Readonly<{
  readAddress: Read<Hex>
  toPool: (address: Address) => DiscoveredPool
}>

function candidatesOf(
  factory: Factory,
  currency0: Address,
  currency1: Address,
): readonly Candidate[] {
  const { factory: to, source } = factory
  switch (factory.kind) {
    case 'constantProduct': {
      const { kind, fee } = factory
      return [
        {
          readAddress: read(to, uniswapV2FactoryAbi, 'getPair', [currency0, currency1]),
          toPool: (address) => ({ kind, address, source, currency0, currency1, fee }),
        },
      ]
    }
    case 'concentrated': {
      const { kind } = factory
      return factory.feeTiers.map((fee) => ({
        readAddress: read(to, uniswapV3FactoryAbi, 'getPool', [currency0, currency1, fee]),
        toPool: (address) => ({ kind, address, source, currency0, currency1 }),
      }))
    }
  }
}
