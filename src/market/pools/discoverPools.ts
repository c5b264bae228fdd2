import { getAbiItem, type Hash, type Hex, type Log, zeroAddress } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config.ts'
import { uniswapV2FactoryAbi, uniswapV3FactoryAbi } from '#src/contracts/abis.ts'
import { AppError } from '#src/errors.ts'
import { type Read, read, readAll } from '#src/market/reads/readAll.ts'
import { type Address, toAddress } from '#src/units/address.ts'
import { type DiscoveredPool, type Factory, parsePoolCreations } from './discoveredPool.ts'

/** Finds the pools that a chain's configuration selects. */
export type Discovery = Readonly<{
  /** Searches the logs up to this block number in advance, so that `at` is fast. */
  prepare: (height: bigint) => Promise<void>
  /**
   * All pools that exist at a block.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails.
   */
  at: (block: Readonly<{ number: bigint; hash: Hash }>) => Promise<readonly DiscoveredPool[]>
}>

export function createDiscovery(
  client: ChainClient,
  { factories, finalityDepth }: Pick<ChainConfig, 'factories' | 'finalityDepth'>,
): Discovery {
  // The pools of factories with configured pairs are looked up in the factory instead.
  const searched = factories.filter(({ pairs }) => pairs.length === 0)
  const found = new Map<Address, DiscoveredPool>()
  let next = 0n

  async function prepare(height: bigint): Promise<void> {
    for (const factory of searched) {
      const from = factory.fromBlock > next ? factory.fromBlock : next
      for (const pool of await findCreatedPools(client, factory, { from, to: height }))
        found.set(pool.address, pool)
    }
    // Blocks that may still be orphaned are searched again.
    const firstUnfinalized = height + 1n - BigInt(finalityDepth)
    if (firstUnfinalized > next) next = firstUnfinalized
  }

  return {
    prepare,
    async at({ number, hash }) {
      await prepare(number)
      const configured = factories.map((factory) => findConfiguredPools(client, factory, hash))
      return [...found.values(), ...(await Promise.all(configured)).flat()]
    },
  }
}

type Range = Readonly<{ from: bigint; to: bigint }>

/**
 * The pools that `factory` created in a range of blocks (both ends included), by its logs. The range of a request
 * halves after a failure and doubles after a success.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails even for a single block.
 */
async function findCreatedPools(
  client: ChainClient,
  factory: Factory,
  range: Range,
): Promise<readonly DiscoveredPool[]> {
  const event =
    factory.kind === 'constantProduct'
      ? getAbiItem({ abi: uniswapV2FactoryAbi, name: 'PairCreated' })
      : getAbiItem({ abi: uniswapV3FactoryAbi, name: 'PoolCreated' })
  const found: DiscoveredPool[] = []
  let from = range.from
  let span = range.to - range.from + 1n
  while (from <= range.to) {
    const to = from + span - 1n < range.to ? from + span - 1n : range.to
    try {
      const logs = await client.getLogs({
        address: factory.factory,
        event,
        fromBlock: from,
        toBlock: to,
      })
      found.push(...parsePoolCreations(factory, logs as Log<bigint, number, false>[]))
      from = to + 1n
      span *= 2n
    } catch (error) {
      // Nodes limit the range, the number of logs or the time, with different errors.
      if (!(error instanceof AppError) || span === 1n) throw error
      span /= 2n
    }
  }
  return found
}

/**
 * The pools of the configured pairs of `factory` that exist at a block.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
async function findConfiguredPools(
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
