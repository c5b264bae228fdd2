import {
  formatTransaction,
  type Hex,
  keccak256,
  type RpcTransaction,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import { WebSocket } from 'ws'
import type { Log } from '#src/config/log.ts'
import { trader } from './accounts.ts'
import {
  type Anvil,
  type AnvilClient,
  createAnvilClient,
  startAnvil,
} from './chain/anvilProcess.ts'
import { type Heartbeat, startHeartbeat } from './chain/heartbeat.ts'
import { allowSpenders, createTransactionQueue } from './chain/transactionQueue.ts'
import { type DeployedChain, deployChain } from './deployment/deployChain.ts'
import type { RunningChain } from './describeDevnet.ts'
import type { ChainPlan } from './plan/chainPlan.ts'
import type { PlannedPool } from './plan/poolPlan.ts'
import { createRandom, createRandomTrader, type Random } from './traffic.ts'

type ChainArgs = Readonly<{
  log: Log
  plan: ChainPlan
  port: number
  traffic: boolean
  minesOnDemand: boolean
  blockMilliseconds: number
  finalityBlocks?: number | undefined
  pools?: readonly PlannedPool[] | undefined
  hasBridgedSol?: boolean
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
export async function runChain(args: ChainArgs): Promise<MinedChain> {
  const { log, plan, traffic, minesOnDemand, blockMilliseconds } = args
  const anvil = await startOnPort(args)
  try {
    const client = createAnvilClient(anvil.rpcUrl)
    const deployed = await deployChain(client, plan, args)
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
async function startOnPort({ log, plan, port, finalityBlocks }: ChainArgs): Promise<Anvil> {
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

/**
 * Sets the next block's base fee to `usual` in wei, plus or minus a tenth. Otherwise each nearly empty block would
 * reduce the base fee by an eighth.
 */
const setBaseFee = (client: AnvilClient, usual: bigint, random: Random): Promise<void> =>
  client.setNextBlockBaseFeePerGas({
    baseFeePerGas: (usual * (900n + BigInt(Math.floor(random() * 201)))) / 1000n,
  })

/** Calls `onPending` when a transaction enters the mempool of a node, until the returned function is called. */
function watchPending(wsUrl: string, onPending: () => void): () => void {
  const socket = new WebSocket(wsUrl, { perMessageDeflate: false })
  const subscribe = { method: 'eth_subscribe', params: ['newPendingTransactions'] }
  socket.on('open', () => socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, ...subscribe })))
  socket.on('message', (message) => {
    if (message.toString().includes('eth_subscription')) onPending()
  })
  // The chain has ended, or is about to.
  socket.on('error', () => undefined)
  return () => socket.terminate()
}

/**
 * Mines a block, then resends the transactions that anvil has dropped. Anvil runs the transactions of a block in the
 * sequence of their arrival (`--order fifo`), not of their nonces, and drops those whose nonce is too high. This
 * affects later transactions of an account whose earlier one was replaced. Other nodes keep them.
 */
async function mineBlock(client: AnvilClient): Promise<void> {
  const before = await readPool(client)
  await client.mine({ blocks: 1 })
  if (before.length === 0) return
  const [{ transactions }, after] = await Promise.all([client.getBlock(), readPool(client)])
  const present = new Set([...transactions, ...after.map(({ hash }) => hash)])
  for (const dropped of before.filter(({ hash }) => !present.has(hash))) {
    const serializedTransaction = serialize(dropped)
    if (serializedTransaction !== undefined)
      // Refused if another transaction has used the nonce, or the account cannot pay.
      await client.sendRawTransaction({ serializedTransaction }).catch(() => undefined)
  }
}

/** The mempool, by account and nonce. */
async function readPool(client: AnvilClient): Promise<readonly RpcTransaction[]> {
  const { pending, queued } = (await client.getTxpoolContent()) as unknown as Pool
  return [...Object.values(pending), ...Object.values(queued)].flatMap((each) =>
    Object.values(each),
  )
}

type Pool = Readonly<Record<'pending' | 'queued', Record<Hex, Record<string, RpcTransaction>>>>

/** The signed transaction. Undefined if it has no signature, because anvil impersonates its account. */
function serialize(transaction: RpcTransaction): Hex | undefined {
  const { r, s, v, yParity, input, ...fields } = formatTransaction(transaction)
  const call = { ...fields, data: input } as TransactionSerializable
  const serialized = serializeTransaction(call, { r, s, v, yParity: yParity ?? 0 })
  return keccak256(serialized) === transaction.hash ? serialized : undefined
}
