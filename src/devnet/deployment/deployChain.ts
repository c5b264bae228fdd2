import {
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  parseEther,
  parseGwei,
} from 'viem'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { type UsdPrice, usdPriceDecimals } from '#src/core/units/usd.ts'
import { relayer, solver } from '#src/devnet/accounts.ts'
import { gasPriceOracle } from '#src/devnet/artifacts/gasPriceOracle.ts'
import { priceFeed } from '#src/devnet/artifacts/priceFeed.ts'
import type { AnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import {
  allowSpenders,
  createTransactionQueue,
  type TransactionQueue,
} from '#src/devnet/chain/transactionQueue.ts'
import {
  bridgedSol,
  type ChainPlan,
  currencyPlans,
  type DeployedCurrency,
  nativePrices,
  outflowLimit,
  worth,
} from '#src/devnet/plan/chainPlan.ts'
import { bridgedSolPools, type PlannedPool, poolPlans, sidesOf } from '#src/devnet/plan/poolPlan.ts'
import { gasPriceOracleAddress } from '#src/protocol/contracts/abis.ts'
import { approvalProxy as approvalProxyArtifact } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { depositAddressFactory as factoryArtifact } from '#src/protocol/contracts/artifacts/depositAddressFactory.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import {
  exitSeconds,
  type ProtocolContracts,
  permit2Address,
} from '#src/protocol/contracts/protocolContracts.ts'
import { deployCurrencies, nameWrappedNative } from './deployCurrencies.ts'
import {
  addV2Pool,
  addV3Pool,
  deployUniswapV2,
  deployUniswapV3,
  drainV2Pool,
  drainV3Pool,
  type UniswapV2,
  type UniswapV3,
} from './deployUniswap.ts'
import { multicall3Code, permit2Code } from './publishedCode.ts'

export type ChainContracts = UniswapV2 &
  UniswapV3 &
  ProtocolContracts &
  Readonly<{ wrappedNative: Address; multicall3: Address; gasPriceOracle?: Address }>

/** A chain's contracts, currencies, price feeds and pools. */
export type DeployedChain = Readonly<{
  plan: ChainPlan
  contracts: ChainContracts
  currencies: readonly DeployedCurrency[]
  feeds: readonly DeployedFeed[]
  pools: readonly PlannedPool[]
}>

type Options = Readonly<{
  /** Absent: the planned ones. */
  pools?: readonly PlannedPool[] | undefined
  /** Whether the chain has bridged SOL. */
  hasBridgedSol?: boolean
}>

/** Sets up a chain in a few blocks. The chain must mine on demand and have a very high block gas limit. */
export async function deployChain(
  client: AnvilClient,
  plan: ChainPlan,
  { pools, hasBridgedSol = false }: Options = {},
): Promise<DeployedChain> {
  const queue = createTransactionQueue(client, plan.deployer)
  await client.setBalance({ address: plan.deployer, value: parseEther('100000000') })
  await client.setBalance({ address: relayer.address, value: parseEther('1000') })
  const multicall3 = await placeMulticall3(client)
  await placePermit2(client)
  const gasPriceOracle =
    plan.l1DataFee === 'opStack' ? await placeGasPriceOracle(client, queue) : undefined
  const usual = deployCurrencies(queue, currencyPlans(plan.native))
  const wrapped = usual.find(({ contract }) => contract === 'wrappedNative')
  if (wrapped === undefined) throw new Error(`${plan.name} wraps no native currency`)
  const uniswapV2 = deployUniswapV2(queue, wrapped.address)
  const uniswapV3 = deployUniswapV3(queue, wrapped.address)
  const nativeFeed = deployFeed(queue, nativeAddress, plan.native, nativePrices[plan.native])
  const usualFeeds = deployPriceFeeds(queue, usual)
  const protocol = deployProtocol(queue, usual, plan.name)
  // Last, so that every other contract has the same address without it.
  const sol = hasBridgedSol ? deployCurrencies(queue, [bridgedSol]) : []
  const feeds = [nativeFeed, ...usualFeeds, ...deployPriceFeeds(queue, sol)]
  if (hasBridgedSol) limitOutflow(queue, protocol.depository, sol)
  const currencies = [...usual, ...sol]
  const planned = pools ?? [
    ...poolPlans(plan.native),
    ...(hasBridgedSol ? bridgedSolPools(plan.native) : []),
  ]
  await deployPools({ client, queue, uniswapV2, uniswapV3, currencies }, planned)
  await nameWrappedNative(client, wrapped)
  const contracts = {
    ...uniswapV2,
    ...uniswapV3,
    ...protocol,
    wrappedNative: wrapped.address,
    multicall3,
    ...(gasPriceOracle === undefined ? {} : { gasPriceOracle }),
  }
  return { plan, contracts, currencies, feeds, pools: planned }
}

/** The price feed of a currency. The zero address stands for the native currency. */
type DeployedFeed = Readonly<{ currency: Address; aggregator: Address }>

/** Queues a feed for each currency whose plan has a feed. */
const deployPriceFeeds = (
  queue: TransactionQueue,
  currencies: readonly DeployedCurrency[],
): readonly DeployedFeed[] =>
  currencies
    .filter(({ hasFeed }) => hasFeed)
    .map(({ address, symbol, price }) => deployFeed(queue, address, symbol, price))

function deployFeed(
  queue: TransactionQueue,
  currency: Address,
  symbol: string,
  price: UsdPrice,
): DeployedFeed {
  const answer = price / 10n ** BigInt(usdPriceDecimals - feedDecimals)
  const args = [`${symbol} / USD`, answer] as const
  return { currency, aggregator: queue.deploy(encodeDeployData({ ...priceFeed, args })) }
}

/** The decimals of Chainlink's USD feeds. */
const feedDecimals = 8

/** The address of Multicall3 on every chain: https://www.multicall3.com */
const multicall3 = toAddress('0xca11bde05977b3631167028862be2a173976ca11')

export async function placeMulticall3(client: AnvilClient): Promise<Address> {
  // A call without a recipient runs creation code and returns the code of the created contract.
  const { data: bytecode } = await client.call({ data: multicall3Code() })
  if (bytecode === undefined) throw new Error('Multicall3 left no code')
  await client.setCode({ address: multicall3, bytecode })
  return multicall3
}

const placePermit2 = (client: AnvilClient): Promise<void> =>
  client.setCode({ address: permit2Address, bytecode: permit2Code() })

/** Places the OP stack's predeploy and queues its prices, which are typical of a quiet day on Ethereum. */
async function placeGasPriceOracle(client: AnvilClient, queue: TransactionQueue): Promise<Address> {
  const address = toAddress(gasPriceOracleAddress)
  const { abi, deployedBytecode: bytecode } = gasPriceOracle
  await client.setCode({ address, bytecode })
  const args = [parseGwei('8'), parseGwei('1'), ...scalars] as const
  queue.send({ to: address, data: encodeFunctionData({ abi, functionName: 'set', args }) })
  return address
}

/** Scalars of Base's SystemConfig, six decimals: for the parent chain's calldata and its blobs. */
const scalars = [2269, 1_055_762] as const

/**
 * Queues the protocol's contracts. On the devnet the solver is allocator and payee of the depository, and the deployer
 * is owner and guardian. Settlements of all currencies are limited.
 */
function deployProtocol(
  queue: TransactionQueue,
  currencies: readonly DeployedCurrency[],
  chainName: string,
): ProtocolContracts {
  const { address } = solver
  const depository = queue.deploy(
    encodeDeployData({
      ...depositoryArtifact,
      args: [
        queue.account,
        address,
        queue.account,
        [address],
        BigInt(exitSeconds),
        chainName,
        outflowLimitsOf(currencies),
      ],
    }),
  )
  const approvalProxy = queue.deploy(
    encodeDeployData({ ...approvalProxyArtifact, args: [depository] }),
  )
  // The approval proxy deploys the router: its first and only CREATE.
  const router = toAddress(getContractAddress({ from: approvalProxy, nonce: 1n }))
  const depositAddressFactory = queue.deploy(
    encodeDeployData({ ...factoryArtifact, args: [depository] }),
  )
  return { depository, router, approvalProxy, depositAddressFactory }
}

/** Also of the native currency, priced as its wrapped one. */
const outflowLimitsOf = (currencies: readonly DeployedCurrency[]) =>
  currencies.flatMap((plan) => {
    const amount = worth(outflowLimit, plan)
    const limit = { currency: plan.address, amount }
    return plan.contract === 'wrappedNative'
      ? [limit, { currency: nativeAddress, amount }]
      : [limit]
  })

function limitOutflow(
  queue: TransactionQueue,
  depository: Address,
  currencies: readonly DeployedCurrency[],
): void {
  const { abi } = depositoryArtifact
  const args = [outflowLimitsOf(currencies)] as const
  const data = encodeFunctionData({ abi, functionName: 'setOutflowLimits', args })
  queue.send({ to: depository, data })
}

type DeployDeps = Readonly<{
  client: AnvilClient
  queue: TransactionQueue
  uniswapV2: UniswapV2
  uniswapV3: UniswapV3
  currencies: readonly DeployedCurrency[]
}>

/** Mines the queue and all pools in one block, then withdraws the liquidity of drained pools. */
async function deployPools(
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
