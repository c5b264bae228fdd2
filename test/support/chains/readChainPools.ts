import { getAbiItem } from 'viem'
import type { ConcentratedPool } from '#src/core/pools/concentrated/concentratedPool.ts'
import { type Tick, toTickMap } from '#src/core/pools/concentrated/tickMap.ts'
import type { ConstantProductPool } from '#src/core/pools/constantProduct/constantProduct.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toPips } from '#src/core/units/pips.ts'
import type { AnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import type { DeployedChain } from '#src/devnet/deployment/deployChain.ts'
import { type PlannedPool, sidesOf } from '#src/devnet/plan/poolPlan.ts'
import {
  uniswapV2FactoryAbi,
  uniswapV2PairAbi,
  uniswapV3FactoryAbi,
  uniswapV3PoolAbi,
} from '#src/protocol/contracts/abis.ts'

/** The state of a pool of the devnet's plan. */
type PlannedState = ConstantProductPool | ConcentratedPool

/**
 * Current state of every planned pool of a chain, by address. It is read call by call, without the
 * market's code. The logs of all positions ever opened give the initialized ticks.
 */
export async function readChainPools(
  anvil: AnvilClient,
  chain: DeployedChain,
): Promise<readonly PlannedState[]> {
  const pools = await Promise.all(
    chain.pools.map((pool, seed) => {
      const { currency0, currency1 } = sidesOf(pool, chain.currencies, seed)
      const identity = {
        chainId: toChainId(chain.plan.id),
        currency0: currency0.address,
        currency1: currency1.address,
      }
      return pool.version === 2
        ? readPair(anvil, chain, identity)
        : readV3Pool(anvil, chain, identity, pool.fee)
    }),
  )
  return pools.sort((one, other) => (one.address < other.address ? -1 : 1))
}

/** Pools of traded currencies: pools with a fee-on-transfer currency are excluded. */
export async function readTradedPools(
  anvil: AnvilClient,
  chain: DeployedChain,
): Promise<readonly PlannedState[]> {
  const taxed = chain.currencies.find(({ contract }) => contract === 'taxed')?.address
  const pools = await readChainPools(anvil, chain)
  return pools.filter(({ currency0, currency1 }) => currency0 !== taxed && currency1 !== taxed)
}

/** Traded pools that have liquidity. */
export async function readLivePools(
  anvil: AnvilClient,
  chain: DeployedChain,
): Promise<readonly PlannedState[]> {
  const pools = await readTradedPools(anvil, chain)
  return pools.filter((pool) =>
    pool.kind === 'concentrated' ? pool.liquidity > 0n : pool.reserve0 > 1n << 30n,
  )
}

type Identity = Pick<PlannedState, 'chainId' | 'currency0' | 'currency1'>
type Fee = Extract<PlannedPool, { version: 3 }>['fee']

async function readPair(
  anvil: AnvilClient,
  { contracts }: DeployedChain,
  identity: Identity,
): Promise<PlannedState> {
  const address = await anvil.readContract({
    address: contracts.uniswapV2Factory,
    abi: uniswapV2FactoryAbi,
    functionName: 'getPair',
    args: [identity.currency0, identity.currency1],
  })
  const [reserve0, reserve1] = await anvil.readContract({
    address,
    abi: uniswapV2PairAbi,
    functionName: 'getReserves',
  })
  return {
    ...identity,
    kind: 'constantProduct',
    source: 'uniswap-v2',
    address: toAddress(address),
    fee: toPips(3000),
    reserve0,
    reserve1,
  }
}

async function readV3Pool(
  anvil: AnvilClient,
  { contracts }: DeployedChain,
  identity: Identity,
  fee: Fee,
): Promise<PlannedState> {
  const address = await anvil.readContract({
    address: contracts.uniswapV3Factory,
    abi: uniswapV3FactoryAbi,
    functionName: 'getPool',
    args: [identity.currency0, identity.currency1, fee],
  })
  const pool = { address, abi: uniswapV3PoolAbi } as const
  const [[sqrtPriceX96, tick], liquidity, tickSpacing, ticks] = await Promise.all([
    anvil.readContract({ ...pool, functionName: 'slot0' }),
    anvil.readContract({ ...pool, functionName: 'liquidity' }),
    anvil.readContract({ ...pool, functionName: 'tickSpacing' }),
    readTicksByLogs(anvil, toAddress(address)),
  ])
  return {
    ...identity,
    kind: 'concentrated',
    source: 'uniswap-v3',
    address: toAddress(address),
    fee: toPips(fee),
    tickSpacing,
    sqrtPriceX96,
    tick,
    liquidity,
    ticks: toTickMap(ticks, tickSpacing),
  }
}

async function readTicksByLogs(anvil: AnvilClient, address: Address): Promise<readonly Tick[]> {
  const mints = await anvil.getLogs({
    address,
    event: getAbiItem({ abi: uniswapV3PoolAbi, name: 'Mint' }),
    fromBlock: 0n,
    strict: true,
  })
  const indices = [...new Set(mints.flatMap(({ args }) => [args.tickLower, args.tickUpper]))]
  return Promise.all(
    indices.map(async (index) => {
      const [liquidityGross, liquidityNet] = await anvil.readContract({
        address,
        abi: uniswapV3PoolAbi,
        functionName: 'ticks',
        args: [index],
      })
      return { index, liquidityGross, liquidityNet }
    }),
  )
}
