import { type Abi, encodeAbiParameters, encodeEventTopics, getAbiItem, type Hex } from 'viem'
import {
  uniswapV2FactoryAbi,
  uniswapV2PairAbi,
  uniswapV3FactoryAbi,
  uniswapV3PoolAbi,
} from '#src/contracts/abis.ts'
import type { SimulatedPool } from './simulatedState.ts'

export type PlainLog = Readonly<{ address: Hex; topics: readonly Hex[]; data: Hex }>

/** Somebody who trades. */
const trader = '0x00000000000000000000000000000000007ade12'

/**
 * The events of the contracts when `before` becomes `after`; with `before` undefined, when the pool is created.
 * @param count of the pools that there are.
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
    throw new Error('The events of positions are not simulated: keep the ticks')
  const swapped = { sender: trader, recipient: trader, amount0: 1n, amount1: -1n }
  const args = { ...swapped, sqrtPriceX96, liquidity, tick }
  return [logOf(address, uniswapV3PoolAbi, 'Swap', args)]
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
