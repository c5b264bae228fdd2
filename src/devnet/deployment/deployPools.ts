import { allowSpenders } from '#src/devnet/chain/allowSpenders.ts'
import type { AnvilClient } from '#src/devnet/chain/anvilClient.ts'
import type { TransactionQueue } from '#src/devnet/chain/transactionQueue.ts'
import type { PlannedPool } from '#src/devnet/plan/poolPlan.ts'
import { sidesOf } from '#src/devnet/plan/poolSides.ts'
import type { DeployedCurrency } from './deployCurrencies.ts'
import { addV2Pool, drainV2Pool, type UniswapV2 } from './deployUniswapV2.ts'
import { addV3Pool, drainV3Pool, type UniswapV3 } from './deployUniswapV3.ts'

type DeployDeps = Readonly<{
  client: AnvilClient
  queue: TransactionQueue
  uniswapV2: UniswapV2
  uniswapV3: UniswapV3
  currencies: readonly DeployedCurrency[]
}>

/** Mines the queue and all pools in one block, then withdraws the liquidity of drained pools. */
export async function deployPools(
  { client, queue, uniswapV2, uniswapV3, currencies }: DeployDeps,
  pools: readonly PlannedPool[],
): Promise<void> {
  allowSpenders(queue, currencies, [
    uniswapV2.uniswapV2Router02,
    uniswapV3.nonfungiblePositionManager,
    uniswapV3.uniswapV3SwapRouter,
  ])
  let positions = 0n
  const placed = pools.map((pool, seed) => {
    const sides = sidesOf(pool, currencies, seed)
    if (pool.version === 2) {
      addV2Pool(queue, uniswapV2, sides)
      return { pool, sides, positionIds: [] }
    }
    const count = addV3Pool(queue, uniswapV3, sides, pool.fee, seed)
    return { pool, sides, positionIds: Array.from({ length: count }, () => ++positions) }
  })
  await queue.flush()
  for (const { pool, sides, positionIds } of placed) {
    if (pool.state === 'live') continue
    if (pool.version === 2) await drainV2Pool(client, queue, uniswapV2, sides)
    else await drainV3Pool(client, queue, uniswapV3, sides, pool.fee, positionIds)
  }
  await queue.flush()
}
