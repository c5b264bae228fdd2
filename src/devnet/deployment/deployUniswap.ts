import { encodeFunctionData, erc20Abi, type Hex, maxUint128, maxUint256, parseAbi } from 'viem'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import type { AnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import type { TransactionQueue } from '#src/devnet/chain/transactionQueue.ts'
import {
  type FeeTier,
  type PoolSides,
  planPositions,
  sqrtPriceX96Of,
  tickNear,
  tickSpacings,
} from '#src/devnet/plan/poolPlan.ts'
import { uniswapV2FactoryAbi, uniswapV3FactoryAbi } from '#src/protocol/contracts/abis.ts'
import { publishedCode } from './publishedCode.ts'

/** @source v2-periphery, IUniswapV2Router02. */
export const uniswapV2RouterAbi = parseAbi([
  'function addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline) returns (uint256 amountA, uint256 amountB, uint256 liquidity)',
  'function removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline) returns (uint256 amountA, uint256 amountB)',
  'function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
])

/** @source v3-periphery 1.4.4, INonfungiblePositionManager and its bases. */
export const positionManagerAbi = parseAbi([
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'struct DecreaseLiquidityParams { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'struct CollectParams { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }',
  'function multicall(bytes[] data) payable returns (bytes[] results)',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)',
  'function mint(MintParams params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
  'function decreaseLiquidity(DecreaseLiquidityParams params) payable returns (uint256 amount0, uint256 amount1)',
  'function collect(CollectParams params) payable returns (uint256 amount0, uint256 amount1)',
  'function positions(uint256 tokenId) view returns (uint96 nonce, address operator, address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint128 liquidity, uint256 feeGrowthInside0LastX128, uint256 feeGrowthInside1LastX128, uint128 tokensOwed0, uint128 tokensOwed1)',
])

/** @source v3-periphery 1.4.4, ISwapRouter. */
export const swapRouterAbi = parseAbi([
  'struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(ExactInputSingleParams params) payable returns (uint256 amountOut)',
])

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

export type UniswapV2 = Readonly<{ uniswapV2Factory: Address; uniswapV2Router02: Address }>

export function deployUniswapV2(queue: TransactionQueue, wrappedNative: Address): UniswapV2 {
  // The zero address controls the protocol fee, so that nobody can enable it.
  const uniswapV2Factory = queue.deploy(publishedCode('uniswapV2Factory', [nativeAddress]))
  const uniswapV2Router02 = queue.deploy(
    publishedCode('uniswapV2Router02', [uniswapV2Factory, wrappedNative]),
  )
  return { uniswapV2Factory, uniswapV2Router02 }
}

/** Queues a pool with its liquidity. The router must be allowed to spend both currencies. */
export function addV2Pool(
  queue: TransactionQueue,
  { uniswapV2Router02 }: UniswapV2,
  sides: PoolSides,
): void {
  const { currency0, currency1, amount0, amount1 } = sides
  const data = encodeFunctionData({
    abi: uniswapV2RouterAbi,
    functionName: 'addLiquidity',
    args: [
      currency0.address,
      currency1.address,
      amount0,
      amount1,
      0n,
      0n,
      queue.account,
      maxUint256,
    ],
  })
  queue.send({ to: uniswapV2Router02, data })
}

/** Queues the withdrawal of all liquidity except the minimum that the pair locks for ever. */
export async function drainV2Pool(
  client: AnvilClient,
  queue: TransactionQueue,
  { uniswapV2Factory, uniswapV2Router02 }: UniswapV2,
  { currency0, currency1 }: PoolSides,
): Promise<void> {
  const pair = await client.readContract({
    address: uniswapV2Factory,
    abi: uniswapV2FactoryAbi,
    functionName: 'getPair',
    args: [currency0.address, currency1.address],
  })
  const abi = erc20Abi
  const share = await client.readContract({
    address: pair,
    abi,
    functionName: 'balanceOf',
    args: [queue.account],
  })
  const approve = { abi, functionName: 'approve', args: [uniswapV2Router02, share] } as const
  queue.send({ to: toAddress(pair), data: encodeFunctionData(approve) })
  const data = encodeFunctionData({
    abi: uniswapV2RouterAbi,
    functionName: 'removeLiquidity',
    args: [currency0.address, currency1.address, share, 0n, 0n, queue.account, maxUint256],
  })
  queue.send({ to: uniswapV2Router02, data })
}
