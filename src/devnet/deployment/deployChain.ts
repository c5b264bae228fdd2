import { parseEther } from 'viem'
import type { Address } from '#src/core/units/address.ts'
import { relayer } from '#src/devnet/accounts.ts'
import type { AnvilClient } from '#src/devnet/chain/anvilClient.ts'
import { createTransactionQueue } from '#src/devnet/chain/transactionQueue.ts'
import type { ChainPlan } from '#src/devnet/plan/chainPlan.ts'
import { currencyPlans } from '#src/devnet/plan/currencyPlan.ts'
import { type PlannedPool, poolPlans } from '#src/devnet/plan/poolPlan.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import { type DeployedCurrency, deployCurrencies, nameWrappedNative } from './deployCurrencies.ts'
import { deployPools } from './deployPools.ts'
import { deployProtocol } from './deployProtocol.ts'
import { deployUniswapV2, type UniswapV2 } from './deployUniswapV2.ts'
import { deployUniswapV3, type UniswapV3 } from './deployUniswapV3.ts'
import { placeGasPriceOracle, placeMulticall3, placePermit2 } from './predeploys.ts'
import { type DeployedFeed, deployPriceFeeds } from './priceFeeds.ts'

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

/** Sets up a chain in a few blocks. The chain must mine on demand and have a very high block gas limit. */
export async function deployChain(
  client: AnvilClient,
  plan: ChainPlan,
  pools: readonly PlannedPool[] = poolPlans(plan.native),
): Promise<DeployedChain> {
  const queue = createTransactionQueue(client, plan.deployer)
  await client.setBalance({ address: plan.deployer, value: parseEther('100000000') })
  await client.setBalance({ address: relayer.address, value: parseEther('1000') })
  const multicall3 = await placeMulticall3(client)
  await placePermit2(client)
  const gasPriceOracle =
    plan.l1DataFee === 'opStack' ? await placeGasPriceOracle(client, queue) : undefined
  const currencies = deployCurrencies(queue, currencyPlans(plan.native))
  const wrapped = currencies.find(({ contract }) => contract === 'wrappedNative')
  if (wrapped === undefined) throw new Error(`${plan.name} wraps no native currency`)
  const uniswapV2 = deployUniswapV2(queue, wrapped.address)
  const uniswapV3 = deployUniswapV3(queue, wrapped.address)
  const feeds = deployPriceFeeds(queue, plan.native, currencies)
  const protocol = deployProtocol(queue, currencies, plan.name)
  await deployPools({ client, queue, uniswapV2, uniswapV3, currencies }, pools)
  await nameWrappedNative(client, wrapped)
  const contracts = {
    ...uniswapV2,
    ...uniswapV3,
    ...protocol,
    wrappedNative: wrapped.address,
    multicall3,
    ...(gasPriceOracle === undefined ? {} : { gasPriceOracle }),
  }
  return { plan, contracts, currencies, feeds, pools }
}
