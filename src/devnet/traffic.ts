import { encodeFunctionData, maxUint256 } from 'viem'
import type { Address } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { trader } from './accounts.ts'
import type { AnvilClient } from './chain/anvilProcess.ts'
import { transactionFees } from './chain/transactionQueue.ts'
import type { DeployedChain } from './deployment/deployChain.ts'
import { swapRouterAbi, uniswapV2RouterAbi } from './deployment/deployUniswap.ts'
import { worth } from './plan/chainPlan.ts'
import { type PlannedPool, type PoolSides, sidesOf } from './plan/poolPlan.ts'

/** The largest trade as a share of a pool's depth, in basis points. */
const largestTradeBps = 50n

/** Net trades in one direction after which the next trade always goes in the other direction. */
const maxImbalance = 6

/**
 * Each call makes one swap of random size in a random live pool. The larger a pool's imbalance of earlier trades, the
 * likelier is a trade in the other direction, so that its price returns.
 */
export function createRandomTrader(
  client: AnvilClient,
  { contracts, currencies, pools }: DeployedChain,
  random: Random,
): () => Promise<void> {
  const markets = pools
    .map((pool, seed) => ({ pool, sides: sidesOf(pool, currencies, seed) }))
    .filter(({ pool }) => pool.state === 'live' && pool.depthUsd > 0n)
  /** Sales of currency0 minus sales of currency1, by pool. */
  const imbalances = markets.map(() => 0)

  return async () => {
    const at = Math.floor(random() * markets.length)
    const market = markets[at]
    if (market === undefined) return
    const imbalance = imbalances[at] ?? 0
    const sellsCurrency0 = random() < (1 - imbalance / maxImbalance) / 2
    imbalances[at] = imbalance + (sellsCurrency0 ? 1 : -1)
    await client.sendTransaction({
      ...encodeTrade(contracts, market.pool, market.sides, sellsCurrency0, random),
      account: trader.address,
      chain: null,
      gas: 3_000_000n,
      ...transactionFees,
    })
  }
}

function encodeTrade(
  { uniswapV2Router02, uniswapV3SwapRouter }: DeployedChain['contracts'],
  pool: PlannedPool,
  { currency0, currency1 }: PoolSides,
  sellsCurrency0: boolean,
  random: Random,
): { to: Address; data: `0x${string}` } {
  const [sold, bought] = sellsCurrency0 ? [currency0, currency1] : [currency1, currency0]
  const parts = BigInt(1 + Math.floor(random() * 1000))
  const largest = worth(pool.depthUsd, sold) * largestTradeBps
  const amountIn = toAmount((largest * parts) / 10_000_000n)
  if (pool.version === 2) {
    const path = [sold.address, bought.address]
    const data = encodeFunctionData({
      abi: uniswapV2RouterAbi,
      functionName: 'swapExactTokensForTokensSupportingFeeOnTransferTokens',
      args: [amountIn, 0n, path, trader.address, maxUint256],
    })
    return { to: uniswapV2Router02, data }
  }
  const params = {
    tokenIn: sold.address,
    tokenOut: bought.address,
    fee: pool.fee,
    recipient: trader.address,
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
  return { to: uniswapV3SwapRouter, data }
}

/** Gives numbers from 0 to below 1. The sequence depends only on the seed. */
export type Random = () => number

/** @source mulberry32 by Tommy Ettinger (public domain): 32 bits of state. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
