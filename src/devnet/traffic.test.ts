import { afterAll, beforeAll, expect, test } from 'vitest'
import { uniswapV3FactoryAbi, uniswapV3PoolAbi } from '#src/protocol/contracts/abis.ts'
import { type DeployedTestChain, startDeployedChain } from '#test/support/chains/deployedChain.ts'
import { trader } from './accounts.ts'
import { allowSpenders, createTransactionQueue } from './chain/transactionQueue.ts'
import { chainPlans } from './plan/chainPlan.ts'
import { sidesOf } from './plan/poolPlan.ts'
import { createRandom, createRandomTrader } from './traffic.ts'

const trades = 400

let chain: DeployedTestChain
beforeAll(async () => {
  chain = await startDeployedChain(chainPlans[2])
  const { client, deployed } = chain
  const { uniswapV2Router02, uniswapV3SwapRouter } = deployed.contracts
  const queue = createTransactionQueue(client, trader.address)
  allowSpenders(queue, deployed.currencies, [uniswapV2Router02, uniswapV3SwapRouter])
  await queue.flush()
})
afterAll(() => chain.stop())

/** currency1 for one currency0 in raw units, of each live v3 pool. */
async function spotPrices(): Promise<number[]> {
  const { client, deployed } = chain
  const live = deployed.pools.filter(({ depthUsd, state }) => state === 'live' && depthUsd > 0n)
  const prices = live.map(async (pool) => {
    if (pool.version === 2) return undefined
    const { currency0, currency1 } = sidesOf(pool, deployed.currencies, 0)
    const address = await client.readContract({
      address: deployed.contracts.uniswapV3Factory,
      abi: uniswapV3FactoryAbi,
      functionName: 'getPool',
      args: [currency0.address, currency1.address, pool.fee],
    })
    const [sqrtPriceX96] = await client.readContract({
      address,
      abi: uniswapV3PoolAbi,
      functionName: 'slot0',
    })
    return (Number(sqrtPriceX96) / 2 ** 96) ** 2
  })
  return (await Promise.all(prices)).filter((price) => price !== undefined)
}

test('every trade succeeds; prices move both ways and none drifts off', async () => {
  const { client, deployed } = chain
  const before = await spotPrices()
  const trade = createRandomTrader(client, deployed, createRandom(7))
  for (let count = 0; count < trades; count++) await trade()
  await client.mine({ blocks: 1 })
  const { transactions } = await client.getBlock()
  const receipts = await Promise.all(
    transactions.map((hash) => client.getTransactionReceipt({ hash })),
  )
  expect(receipts).toHaveLength(trades)
  expect(receipts.filter(({ status }) => status === 'reverted')).toEqual([])

  const moves = (await spotPrices()).map((price, at) => price / (before[at] ?? Number.NaN) - 1)
  expect(moves.some((move) => move > 0)).toBe(true)
  expect(moves.some((move) => move < 0)).toBe(true)
  expect(Math.max(...moves.map(Math.abs))).toBeLessThan(0.05)
})

test('the same seed trades the same', () => {
  const [one, other] = [createRandom(3), createRandom(3)]
  const draws = (random: () => number) => Array.from({ length: 100 }, random)
  const drawn = draws(one)
  expect(drawn).toEqual(draws(other))
  expect(drawn.every((draw) => draw >= 0 && draw < 1)).toBe(true)
})
