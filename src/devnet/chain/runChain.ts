import type { Log } from '#src/config/log.ts'
import { trader } from '#src/devnet/accounts.ts'
import { type DeployedChain, deployChain } from '#src/devnet/deployment/deployChain.ts'
import type { RunningChain } from '#src/devnet/describe.ts'
import type { ChainPlan } from '#src/devnet/plan/chainPlan.ts'
import type { PlannedPool } from '#src/devnet/plan/poolPlan.ts'
import { createRandom } from '#src/devnet/plan/random.ts'
import { allowSpenders } from './allowSpenders.ts'
import { type AnvilClient, createAnvilClient } from './anvilClient.ts'
import { type Anvil, startAnvil } from './anvilProcess.ts'
import { setBaseFee } from './baseFee.ts'
import { type Heartbeat, startHeartbeat } from './heartbeat.ts'
import { mineBlock } from './mineBlock.ts'
import { createRandomTrader } from './traffic.ts'
import { createTransactionQueue } from './transactionQueue.ts'
import { watchPending } from './watchPending.ts'

type ChainArgs = Readonly<{
  log: Log
  plan: ChainPlan
  port: number
  traffic: boolean
  minesOnDemand: boolean
  blockMilliseconds: number
  finalityBlocks?: number | undefined
  pools?: readonly PlannedPool[] | undefined
}>

type MinedChain = Readonly<{
  chain: RunningChain
  suspendMining: Heartbeat['suspend']
  minePendingOnly: Heartbeat['beatOnlyOnHurry']
  stop: () => Promise<void>
}>

/** The block gas limit of Ethereum's mainnet. */
const blockGasLimit = 36_000_000n

/** Number of blocks whose state anvil retains; each takes about a megabyte. */
const retainedStates = 64

/** Starts a chain and deploys its contracts. Then the chain mines a block every `blockMilliseconds`. */
export async function runChain({
  log,
  plan,
  port,
  traffic,
  minesOnDemand,
  blockMilliseconds,
  finalityBlocks,
  pools,
}: ChainArgs): Promise<MinedChain> {
  const anvil = await startOnPort({ log, plan, port, finalityBlocks })
  try {
    const client = createAnvilClient(anvil.rpcUrl)
    const deployed = await deployChain(client, plan, pools)
    const trade = traffic ? await setUpTrader(client, deployed) : undefined
    await client.setBlockGasLimit({ gasLimit: blockGasLimit })
    const random = createRandom(plan.id)
    // Anvil's own interval mining would retain 1500 states, in spite of `--prune-history`.
    const heartbeat = startHeartbeat({ log }, blockMilliseconds, async () => {
      await setBaseFee(client, plan.baseFeePerGas, random)
      await mineBlock(client)
      await trade?.()
    })
    const unwatch = minesOnDemand ? watchPending(anvil.wsUrl, heartbeat.hurry) : undefined
    return {
      chain: {
        ...deployed,
        rpcUrl: anvil.rpcUrl,
        wsUrl: anvil.wsUrl,
        blockSeconds: blockMilliseconds / 1000,
      },
      suspendMining: heartbeat.suspend,
      minePendingOnly: heartbeat.beatOnlyOnHurry,
      stop: async () => {
        unwatch?.()
        await heartbeat.stop()
        await anvil.stop()
      },
    }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/** Starts on `port`, or on any free port if it cannot listen there. */
async function startOnPort({
  log,
  plan,
  port,
  finalityBlocks,
}: Pick<ChainArgs, 'log' | 'plan' | 'port' | 'finalityBlocks'>): Promise<Anvil> {
  const options = [
    '--no-mining',
    // Ordered by fees, anvil would run a transaction before a cheaper one with a lower nonce, and drop it.
    ...['--order', 'fifo'],
    ...['--gas-limit', '100000000000', '--no-request-size-limit'],
    ...['--block-base-fee-per-gas', `${plan.baseFeePerGas}`],
    ...['--prune-history', `${retainedStates}`],
  ]
  const args = { chainId: plan.id, finalityBlocks, options }
  if (port === 0) return startAnvil(args)
  try {
    return await startAnvil({ ...args, port })
  } catch (error) {
    const reason = (error as Error).message
    log.warn({ chain: plan.id, port, reason }, 'The chain uses another port')
    return startAnvil(args)
  }
}

async function setUpTrader(
  client: AnvilClient,
  chain: DeployedChain,
): Promise<() => Promise<void>> {
  const { uniswapV2Router02, uniswapV3SwapRouter } = chain.contracts
  const queue = createTransactionQueue(client, trader.address)
  allowSpenders(queue, chain.currencies, [uniswapV2Router02, uniswapV3SwapRouter])
  await queue.flush()
  return createRandomTrader(client, chain, createRandom(chain.plan.id))
}
