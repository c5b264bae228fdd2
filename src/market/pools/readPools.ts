import type { Hash } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError, RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'
import { uniswapV2PairAbi, uniswapV3PoolAbi } from '#src/contracts/abis.ts'
import { read, readAll } from '#src/market/reads/readAll.ts'
import { liquidityAt, toTickMap } from '#src/pools/concentrated/tickMap.ts'
import type { ConcentratedPool, ConstantProductPool, Pool } from '#src/pools/pool.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { toPips } from '#src/units/pips.ts'
import type { DiscoveredPool } from './discovery/discoveredPool.ts'
import { readTicks } from './readTicks.ts'

type DiscoveredOf<Kind extends DiscoveredPool['kind']> = Extract<DiscoveredPool, { kind: Kind }>

/**
 * The states of pools at one block, by one multicall for the fields and one call for the ticks of each concentrated
 * pool. Leaves out pools that cannot be read or whose fields contradict each other.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function readPools(
  deps: Readonly<{ client: ChainClient; chainId: ChainId }>,
  found: readonly DiscoveredPool[],
  blockHash: Hash,
): Promise<readonly Pool[]> {
  const pairs = found.filter((pool) => pool.kind === 'constantProduct')
  const pools = found.filter((pool) => pool.kind === 'concentrated')
  const { reserves, slots, liquidities, fees, spacings } = await readAll(
    deps.client,
    {
      reserves: pairs.map(({ address }) => read(address, uniswapV2PairAbi, 'getReserves', [])),
      slots: pools.map(({ address }) => read(address, uniswapV3PoolAbi, 'slot0', [])),
      liquidities: pools.map(({ address }) => read(address, uniswapV3PoolAbi, 'liquidity', [])),
      fees: pools.map(({ address }) => read(address, uniswapV3PoolAbi, 'fee', [])),
      spacings: pools.map(({ address }) => read(address, uniswapV3PoolAbi, 'tickSpacing', [])),
    },
    blockHash,
  )
  const constantProduct = pairs.map((pair, at) => toPair(deps.chainId, pair, reserves[at]))
  const concentrated = pools.map(async (pool, at) =>
    readConcentrated(deps, blockHash, pool, {
      slot0: slots[at],
      liquidity: liquidities[at],
      fee: fees[at],
      tickSpacing: spacings[at],
    }),
  )
  return [...constantProduct, ...(await Promise.all(concentrated))].filter(
    (pool) => pool !== undefined,
  )
}

const toPair = (
  chainId: ChainId,
  pair: DiscoveredOf<'constantProduct'>,
  reserves: readonly [bigint, bigint, number] | undefined,
): ConstantProductPool | undefined =>
  reserves && { ...pair, chainId, reserve0: reserves[0], reserve1: reserves[1] }

type Fields = Readonly<{
  slot0: readonly [sqrtPriceX96: bigint, tick: number, ...unknown[]] | undefined
  liquidity: bigint | undefined
  fee: number | undefined
  tickSpacing: number | undefined
}>

async function readConcentrated(
  { client, chainId }: Readonly<{ client: ChainClient; chainId: ChainId }>,
  blockHash: Hash,
  pool: DiscoveredOf<'concentrated'>,
  { slot0, liquidity, fee, tickSpacing }: Fields,
): Promise<ConcentratedPool | undefined> {
  if (!slot0 || liquidity === undefined || fee === undefined || !tickSpacing) return undefined
  const [sqrtPriceX96, tick] = slot0
  try {
    const found = await readTicks(client, { address: pool.address, tickSpacing }, blockHash)
    const ticks = toTickMap(found, tickSpacing)
    if (sqrtPriceX96 !== 0n && liquidityAt(ticks, tick) !== liquidity) return undefined
    const state = { tickSpacing, sqrtPriceX96, tick, liquidity, ticks }
    return { ...pool, chainId, fee: toPips(fee), ...state }
  } catch (error) {
    if (error instanceof RpcUnavailableError || error instanceof RpcRefusedError) throw error
    return undefined
  }
}
