import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import type { AnvilClient } from '#src/devnet/chain/anvilClient.ts'
import type { TransactionQueue } from '#src/devnet/chain/transactionQueue.ts'
import type { PoolSides } from '#src/devnet/plan/poolPlan.ts'
import { uniswapV2FactoryAbi } from '#src/protocol/contracts/abis.ts'
import { publishedCode } from './publishedCode.ts'
import { uniswapV2RouterAbi } from './uniswapAbis.ts'

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
