import { getAbiItem, type Hash, type Hex, type Log, zeroAddress } from 'viem'
import type { ChainClient } from '#src/chains/chainClient.ts'
import type { ChainConfig } from '#src/config.ts'
import { uniswapV2FactoryAbi, uniswapV3FactoryAbi } from '#src/contracts/abis.ts'
import { AppError } from '#src/errors.ts'
import { type Read, read, readAll } from '#src/market/reads/readAll.ts'
import { type Address, toAddress } from '#src/units/address.ts'
import { type Factory, type FoundPool, foundPoolsOf } from './discoveredPool.ts'

/** Finds the pools that a chain's configuration asks for, and remembers what it found. */
export type Discovery = Readonly<{
  /** Looks through the logs up to this height, so that little is left to do at a block. */
  prepare: (height: bigint) => Promise<void>
  /**
   * All pools up to and at a block.
   * @throws RpcUnavailableError or RpcRefusedError when the node fails.
   */
  at: (block: Readonly<{ number: bigint; hash: Hash }>) => Promise<readonly FoundPool[]>
}>

export function createDiscovery(
  client: ChainClient,
  { factories, finalityDepth }: Pick<ChainConfig, 'factories' | 'finalityDepth'>,
): Discovery {
  const logging = factories.filter(({ pairs }) => pairs.length === 0)
  const found = new Map<Address, FoundPool>()
  let next = 0n

  async function prepare(height: bigint): Promise<void> {
    for (const factory of logging) {
      const from = factory.fromBlock > next ? factory.fromBlock : next
      for (const pool of await findCreatedPools(client, factory, { from, to: height }))
        found.set(pool.address, pool)
    }
    // Blocks that may yet be undone are looked through again.
    const past = height + 1n - BigInt(finalityDepth)
    if (past > next) next = past
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
 * The pools that `factory` logged as made in a range of blocks, of the pairs that its configuration
 * asks for.
 * @throws RpcUnavailableError or RpcRefusedError when the node fails.
 */
async function findCreatedPools(
  client: ChainClient,
  factory: Factory,
  range: Range,
): Promise<readonly FoundPool[]> {
  const event =
    factory.kind === 'constantProduct'
      ? getAbiItem({ abi: uniswapV2FactoryAbi, name: 'PairCreated' })
      : getAbiItem({ abi: uniswapV3FactoryAbi, name: 'PoolCreated' })
  const found: FoundPool[] = []
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
      found.push(...foundPoolsOf(factory, logs as Log<bigint, number, false>[]))
      from = to + 1n
      span *= 2n
    } catch (error) {
      // Nodes bound the range, the number of logs or the time, each in words of its own.
      if (!(error instanceof AppError) || span === 1n) throw error
      span /= 2n
    }
  }
  return found
}

/**
 * The pools of the pairs that `factory` is configured with, as far as they exist at a block.
 * @throws RpcUnavailableError or RpcRefusedError when the node fails.
 */
async function findConfiguredPools(
  client: ChainClient,
  factory: Factory,
  blockHash: Hash,
): Promise<readonly FoundPool[]> {
  const candidates = factory.pairs.flatMap(([one, other]) =>
    one < other ? candidatesOf(factory, one, other) : candidatesOf(factory, other, one),
  )
  const { addresses } = await readAll(
    client,
    { addresses: candidates.map(({ lookup }) => lookup) },
    blockHash,
  )
  return candidates.flatMap(({ found }, at) => {
    const address = addresses[at]
    const exists = address !== undefined && address !== zeroAddress
    return exists ? [found(toAddress(address))] : []
  })
}

type Candidate = Readonly<{ lookup: Read<Hex>; found: (address: Address) => FoundPool }>

function candidatesOf(
  factory: Factory,
  currency0: Address,
  currency1: Address,
): readonly Candidate[] {
  const { factory: to, source } = factory
  switch (factory.kind) {
    case 'constantProduct': {
      const { kind, fee } = factory
      const lookup = read(to, uniswapV2FactoryAbi, 'getPair', [currency0, currency1])
      return [
        { lookup, found: (address) => ({ kind, address, source, currency0, currency1, fee }) },
      ]
    }
    case 'concentrated': {
      const { kind } = factory
      return factory.feeTiers.map((fee) => ({
        lookup: read(to, uniswapV3FactoryAbi, 'getPool', [currency0, currency1, fee]),
        found: (address) => ({ kind, address, source, currency0, currency1 }),
      }))
    }
  }
}
