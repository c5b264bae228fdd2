import { type Abi, encodeAbiParameters, encodeEventTopics, getAbiItem, type Hex } from 'viem'
import type { ConcentratedPool } from '#src/core/pools/concentrated/concentratedPool.ts'
import { ticksOf } from '#src/core/pools/concentrated/tickMap.ts'
import {
  uniswapV2FactoryAbi,
  uniswapV2PairAbi,
  uniswapV3FactoryAbi,
  uniswapV3PoolAbi,
} from '#src/protocol/contracts/abis.ts'
import type { SimulatedPool } from './simulatedState.ts'

export type PlainLog = Readonly<{ address: Hex; topics: readonly Hex[]; data: Hex }>

/** The account that trades. */
const trader = '0x00000000000000000000000000000000007ade12'

/**
 * The events of the contracts when `before` becomes `after`. Without `before`, the events of the pool's creation.
 * @param count number of existing pools.
 */
export function eventsOf(
  before: SimulatedPool | undefined,
  after: SimulatedPool,
  count: number,
): readonly PlainLog[] {
  const { factory, pool } = after
  const { address, currency0: token0, currency1: token1 } = pool
  const created = { token0, token1 }
  if (pool.kind === 'constantProduct') {
    const { reserve0, reserve1 } = pool
    const sync = logOf(address, uniswapV2PairAbi, 'Sync', { reserve0, reserve1 })
    if (before !== undefined) return [sync]
    const args = { ...created, pair: address, length: BigInt(count + 1) }
    return [logOf(factory, uniswapV2FactoryAbi, 'PairCreated', args), sync]
  }
  const { fee, tickSpacing, sqrtPriceX96, liquidity, tick } = pool
  if (before === undefined) {
    const args = { ...created, fee: Number(fee), tickSpacing, pool: address }
    return [logOf(factory, uniswapV3FactoryAbi, 'PoolCreated', args)]
  }
  if (before.pool.kind === 'concentrated' && before.pool.ticks !== pool.ticks)
    return [positionLog(before.pool, pool)]
  const swapped = { sender: trader, recipient: trader, amount0: 1n, amount1: -1n }
  const args = { ...swapped, sqrtPriceX96, liquidity, tick }
  return [logOf(address, uniswapV3PoolAbi, 'Swap', args)]
}

/** The event of the one position whose liquidity differs. */
function positionLog(before: ConcentratedPool, after: ConcentratedPool): PlainLog {
  const netBefore = new Map(ticksOf(before.ticks).map((tick) => [tick.index, tick.liquidityNet]))
  const netAfter = new Map(ticksOf(after.ticks).map((tick) => [tick.index, tick.liquidityNet]))
  const changeAt = (index: number) => (netAfter.get(index) ?? 0n) - (netBefore.get(index) ?? 0n)
  const indices = [...new Set([...netBefore.keys(), ...netAfter.keys()])]
  const [tickLower, tickUpper, ...others] = indices
    .filter((index) => changeAt(index) !== 0n)
    .sort((one, other) => one - other)
  if (tickLower === undefined || tickUpper === undefined || others.length > 0)
    throw new Error('A block changes one position of a pool')
  if (before.sqrtPriceX96 !== after.sqrtPriceX96)
    throw new Error('A position changes no price: leave the swap to another block')
  const added = changeAt(tickLower)
  const position = { owner: trader, tickLower, tickUpper, amount0: 1n, amount1: 1n }
  return added > 0n
    ? logOf(after.address, uniswapV3PoolAbi, 'Mint', { ...position, sender: trader, amount: added })
    : logOf(after.address, uniswapV3PoolAbi, 'Burn', { ...position, amount: -added })
}

function logOf(address: Hex, abi: Abi, eventName: string, args: object): PlainLog {
  const item = getAbiItem({ abi, name: eventName } as never) as {
    inputs: readonly { name: string; indexed?: boolean; type: string }[]
  }
  const unindexed = item.inputs.filter(({ indexed }) => indexed !== true)
  const values = unindexed.map(({ name }) => (args as Record<string, unknown>)[name])
  return {
    address,
    topics: encodeEventTopics({ abi: [item], eventName, args } as never) as readonly Hex[],
    data: encodeAbiParameters(unindexed, values),
  }
}
