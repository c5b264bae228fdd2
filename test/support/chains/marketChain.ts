import { maxUint128, maxUint256, parseAbi } from 'viem'
import { type Config, type ConfigInput, parseConfig } from '#src/config/config.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { trader } from '#src/devnet/accounts.ts'
import { type AnvilClient, createAnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import { allowSpenders, createTransactionQueue } from '#src/devnet/chain/transactionQueue.ts'
import { type DeployedChain, deployChain } from '#src/devnet/deployment/deployChain.ts'
import { positionManagerAbi, uniswapV2RouterAbi } from '#src/devnet/deployment/deployUniswap.ts'
import { configOf, tokenListOf } from '#src/devnet/describeDevnet.ts'
import type { ChainPlan } from '#src/devnet/plan/chainPlan.ts'
import {
  type PlannedPool,
  sidesOf,
  sqrtPriceX96Of,
  tickNear,
  tickSpacings,
} from '#src/devnet/plan/poolPlan.ts'
import { createRandom, createRandomTrader, type Random } from '#src/devnet/traffic.ts'
import { parseTokenList } from '#src/market/currencies/tokenList.ts'
import { startBareChain } from './deployedChain.ts'
import { reorgChain } from './reorgChain.ts'

/** A devnet chain with all its pools. It mines only on request. */
export type MarketChain = Readonly<{
  rpcUrl: string
  anvil: AnvilClient
  deployed: DeployedChain
  listed: readonly Currency[]
  /** The devnet's configuration of this chain with some changes. */
  configure: (changes?: Partial<ConfigInput['chains'][number]>) => Config
  /** Mines one block with random swaps, opened positions and closed positions. */
  churn: () => Promise<void>
  /** Mines a block that creates a v2 pool of two currencies, given by symbol, with $20,000 of liquidity. */
  addPair: (one: string, other: string) => Promise<void>
  /** Replaces the last `depth` blocks by empty ones. */
  reorg: (depth: number) => Promise<void>
  stop: () => Promise<void>
}>

/** Starts the chain with the devnet's pools or with the given ones. A chain with fewer pools mines faster. */
export async function startMarketChain(
  plan: ChainPlan,
  pools?: readonly PlannedPool[],
): Promise<MarketChain> {
  const process = await startBareChain(plan.id)
  try {
    const anvil = createAnvilClient(process.rpcUrl)
    const deployed = await deployChain(anvil, plan, { pools })
    await anvil.setBlockGasLimit({ gasLimit: 36_000_000n })
    const { rpcUrl, wsUrl } = process
    const running = { ...deployed, rpcUrl, wsUrl, blockSeconds: 0.1 }
    const [described] = configOf([running], 'tokens.json').chains
    const configure = (changes = {}): Config =>
      parseConfig(
        {
          ...configOf([running], 'tokens.json'),
          // Without a WebSocket, all data for the market passes through the proxy.
          chains: [{ ...described, wsUrl: undefined, ...changes }],
        },
        'devnet',
      )
    const chainIds = new Set(configure().chains.map(({ id }) => id))
    return {
      rpcUrl: process.rpcUrl,
      anvil,
      deployed,
      listed: parseTokenList(tokenListOf([running], ''), 'devnet', chainIds).currencies,
      configure,
      churn: await createChurn(anvil, deployed),
      addPair: (one, other) => addPair(anvil, deployed, [one, other]),
      reorg: (depth) => reorgChain(anvil, depth),
      stop: process.stop,
    }
  } catch (error) {
    await process.stop()
    throw error
  }
}

/** Makes the same trades for the same chain in every run. */
async function createChurn(anvil: AnvilClient, chain: DeployedChain): Promise<() => Promise<void>> {
  const { uniswapV2Router02, uniswapV3SwapRouter, nonfungiblePositionManager } = chain.contracts
  const queue = createTransactionQueue(anvil, trader.address)
  allowSpenders(queue, chain.currencies, [
    uniswapV2Router02,
    uniswapV3SwapRouter,
    nonfungiblePositionManager,
  ])
  await queue.flush()
  const random = createRandom(chain.plan.id)
  const trade = createRandomTrader(anvil, chain, random)
  return async () => {
    for (let trades = 0; trades < 4; trades++) await trade()
    await openPosition(anvil, chain, random)
    if (random() < 0.7) await closePosition(anvil, chain, random)
    await anvil.mine({ blocks: 1 })
  }
}

const call = { account: trader.address, chain: null, gas: 3_000_000n } as const

async function openPosition(
  anvil: AnvilClient,
  { contracts, pools, currencies }: DeployedChain,
  random: Random,
): Promise<void> {
  const seed = Math.floor(random() * pools.length)
  const pool = pools[seed]
  if (pool?.version !== 3 || pool.depthUsd === 0n) return
  const { currency0, currency1, amount0, amount1, premium } = sidesOf(pool, currencies, seed)
  const spacing = tickSpacings[pool.fee]
  const centre = Math.floor(tickNear(sqrtPriceX96Of(currency0, currency1, premium)) / spacing)
  const tickLower = (centre - Math.floor(random() * 300)) * spacing
  const tickUpper = (centre + 1 + Math.floor(random() * 300)) * spacing
  await anvil.writeContract({
    ...call,
    address: contracts.nonfungiblePositionManager,
    abi: positionManagerAbi,
    functionName: 'mint',
    args: [
      {
        token0: currency0.address,
        token1: currency1.address,
        fee: pool.fee,
        tickLower,
        tickUpper,
        amount0Desired: amount0 / 1000n,
        amount1Desired: amount1 / 1000n,
        amount0Min: 0n,
        amount1Min: 0n,
        recipient: trader.address,
        deadline: maxUint256,
      },
    ],
  })
}

/** @source @openzeppelin/contracts ERC721Enumerable, which the position manager implements. */
const enumerableAbi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)',
])

/** Withdraws half or all of one of the trader's positions, with its fees. */
async function closePosition(
  anvil: AnvilClient,
  { contracts }: DeployedChain,
  random: Random,
): Promise<void> {
  const address = contracts.nonfungiblePositionManager
  const owned = { address, abi: enumerableAbi, account: trader.address } as const
  const owner = trader.address
  const count = await anvil.readContract({ ...owned, functionName: 'balanceOf', args: [owner] })
  if (count === 0n) return
  const tokenId = await anvil.readContract({
    ...owned,
    functionName: 'tokenOfOwnerByIndex',
    args: [owner, BigInt(Math.floor(random() * Number(count)))],
  })
  const manager = { address, abi: positionManagerAbi } as const
  const position = await anvil.readContract({
    ...manager,
    functionName: 'positions',
    args: [tokenId],
  })
  const liquidity = random() < 0.5 ? position[7] : position[7] / 2n
  if (liquidity === 0n) return
  await anvil.writeContract({
    ...call,
    ...manager,
    functionName: 'decreaseLiquidity',
    args: [{ tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: maxUint256 }],
  })
  await anvil.writeContract({
    ...call,
    ...manager,
    functionName: 'collect',
    args: [{ tokenId, recipient: owner, amount0Max: maxUint128, amount1Max: maxUint128 }],
  })
}

async function addPair(
  anvil: AnvilClient,
  { contracts, currencies }: DeployedChain,
  pair: readonly [string, string],
): Promise<void> {
  const plan: PlannedPool = { version: 2, pair, depthUsd: 20_000n, state: 'live' }
  const { currency0, currency1, amount0, amount1 } = sidesOf(plan, currencies, 0)
  await anvil.writeContract({
    ...call,
    gas: 6_000_000n,
    address: contracts.uniswapV2Router02,
    abi: uniswapV2RouterAbi,
    functionName: 'addLiquidity',
    args: [
      currency0.address,
      currency1.address,
      amount0,
      amount1,
      0n,
      0n,
      trader.address,
      maxUint256,
    ],
  })
  await anvil.mine({ blocks: 1 })
}
