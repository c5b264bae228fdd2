import { encodeFunctionData, type Hex, maxUint128, maxUint256 } from 'viem'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import type { AnvilClient } from '#src/devnet/chain/anvilClient.ts'
import type { TransactionQueue } from '#src/devnet/chain/transactionQueue.ts'
import type { PoolSides } from '#src/devnet/plan/poolPlan.ts'
import {
  type FeeTier,
  planPositions,
  sqrtPriceX96Of,
  tickNear,
  tickSpacings,
} from '#src/devnet/plan/positions.ts'
import { uniswapV3FactoryAbi } from '#src/protocol/contracts/abis.ts'
import { publishedCode } from './publishedCode.ts'
import { positionManagerAbi, swapRouterAbi } from './uniswapAbis.ts'

export type UniswapV3 = Readonly<{
  uniswapV3Factory: Address
  uniswapV3SwapRouter: Address
  nonfungiblePositionManager: Address
  quoterV2: Address
  tickLens: Address
}>

export function deployUniswapV3(queue: TransactionQueue, wrappedNative: Address): UniswapV3 {
  const uniswapV3Factory = queue.deploy(publishedCode('uniswapV3Factory', []))
  const enable = { abi: uniswapV3FactoryAbi, functionName: 'enableFeeAmount' } as const
  queue.send({ to: uniswapV3Factory, data: encodeFunctionData({ ...enable, args: [100, 1] }) })
  const both = [uniswapV3Factory, wrappedNative]
  return {
    uniswapV3Factory,
    uniswapV3SwapRouter: queue.deploy(publishedCode('uniswapV3SwapRouter', both)),
    // Without a token descriptor: positions have no images.
    nonfungiblePositionManager: queue.deploy(
      publishedCode('nonfungiblePositionManager', [...both, nativeAddress]),
    ),
    quoterV2: queue.deploy(publishedCode('quoterV2', both)),
    tickLens: queue.deploy(publishedCode('tickLens', [])),
  }
}

/**
 * Queues a pool at its price with its positions.
 * @returns The number of positions. The position manager numbers them from 1.
 */
export function addV3Pool(
  queue: TransactionQueue,
  { nonfungiblePositionManager }: UniswapV3,
  { currency0, currency1, amount0, amount1, premium }: PoolSides,
  fee: FeeTier,
  seed: number,
): number {
  const abi = positionManagerAbi
  const sqrtPriceX96 = sqrtPriceX96Of(currency0, currency1, premium)
  const create = encodeFunctionData({
    abi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [currency0.address, currency1.address, fee, sqrtPriceX96],
  })
  const positions =
    amount0 === 0n
      ? []
      : planPositions(
          tickNear(sqrtPriceX96),
          tickSpacings[fee],
          currency0.price === currency1.price,
          seed,
        )
  const mints = positions.map(({ tickLower, tickUpper, percent }): Hex => {
    const params = {
      token0: currency0.address,
      token1: currency1.address,
      fee,
      tickLower,
      tickUpper,
      amount0Desired: (amount0 * percent) / 100n,
      amount1Desired: (amount1 * percent) / 100n,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: queue.account,
      deadline: maxUint256,
    }
    return encodeFunctionData({ abi, functionName: 'mint', args: [params] })
  })
  const all = { abi, functionName: 'multicall', args: [[create, ...mints]] } as const
  queue.send({ to: nonfungiblePositionManager, data: encodeFunctionData(all) })
  return positions.length
}

/** Queues a trade in each direction and then the withdrawal of all liquidity in `positionIds`. */
export async function drainV3Pool(
  client: AnvilClient,
  queue: TransactionQueue,
  { nonfungiblePositionManager, uniswapV3SwapRouter }: UniswapV3,
  sides: PoolSides,
  fee: FeeTier,
  positionIds: readonly bigint[],
): Promise<void> {
  const { currency0, currency1, amount0, amount1 } = sides
  trade(currency0.address, currency1.address, amount0 / 20n)
  trade(currency1.address, currency0.address, amount1 / 30n)
  const abi = positionManagerAbi
  const position = { address: nonfungiblePositionManager, abi, functionName: 'positions' } as const
  const held = await Promise.all(
    positionIds.map((id) => client.readContract({ ...position, args: [id] })),
  )
  const withdrawals = positionIds.flatMap((tokenId, at): Hex[] => {
    const liquidity = held[at]?.[7] ?? 0n
    const decrease = { tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: maxUint256 }
    const collect = {
      tokenId,
      recipient: queue.account,
      amount0Max: maxUint128,
      amount1Max: maxUint128,
    }
    return [
      encodeFunctionData({ abi, functionName: 'decreaseLiquidity', args: [decrease] }),
      encodeFunctionData({ abi, functionName: 'collect', args: [collect] }),
    ]
  })
  const all = { abi, functionName: 'multicall', args: [withdrawals] } as const
  queue.send({ to: nonfungiblePositionManager, data: encodeFunctionData(all) })

  function trade(tokenIn: Address, tokenOut: Address, amountIn: bigint): void {
    const params = {
      tokenIn,
      tokenOut,
      fee,
      recipient: queue.account,
      deadline: maxUint256,
      amountIn,
      amountOutMinimum: 0n,
      sqrtPriceLimitX96: 0n,
    }
    const data = encodeFunctionData({
      abi: swapRouterAbi,
      functionName: 'exactInputSingle',
      args: [params],
    })
    queue.send({ to: uniswapV3SwapRouter, data })
  }
}
