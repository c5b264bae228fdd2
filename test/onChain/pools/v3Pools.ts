import fc from 'fast-check'
import { encodeFunctionData, type Hex, maxUint256, parseEventLogs } from 'viem'
import {
  applyConcentratedEvent,
  type ConcentratedPool,
} from '#src/core/pools/concentrated/concentratedPool.ts'
import { getSqrtRatioAtTick, toTickMap } from '#src/core/pools/concentrated/tickMap.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { toPips } from '#src/core/units/pips.ts'
import { positionManagerAbi } from '#src/devnet/deployment/deployUniswap.ts'
import { uniswapV3FactoryAbi, uniswapV3PoolAbi } from '#src/protocol/contracts/abis.ts'
import { type Position, positions } from '#test/support/arbitraries/poolArbitrary.ts'
import { anyTick, type Exchange, pairsOf, type StartTick } from './exchange.ts'

type Plan = Readonly<{
  token0: Address
  token1: Address
  fee: number
  tickSpacing: number
  tick: number
  minted: readonly Position[]
}>

const tiers = [
  { fee: 100, tickSpacing: 1 },
  { fee: 500, tickSpacing: 10 },
  { fee: 3000, tickSpacing: 60 },
  { fee: 10000, tickSpacing: 200 },
] as const

/** Creates a pool for each two currencies and each fee, with random positions. */
export async function createV3Pools(
  exchange: Exchange,
  startTick: StartTick = anyTick,
): Promise<Readonly<{ pools: readonly ConcentratedPool[]; positionCount: number }>> {
  const { queue, currencies, uniswapV3 } = exchange
  const plans = pairsOf(currencies)
    .flatMap((pair) => tiers.map((tier) => ({ pair, ...tier })))
    .map(({ pair, fee, tickSpacing }, seed): Plan => {
      const [token0, token1] = pair
      const tick = startTick(pair, seed)
      const [minted = []] = fc.sample(positions(tickSpacing, tick), { numRuns: 1, seed })
      return { token0, token1, fee, tickSpacing, tick, minted }
    })
  for (const plan of plans)
    queue.send({
      to: uniswapV3.nonfungiblePositionManager,
      data: encodeCreation(plan, queue.account),
    })
  await queue.flush()
  return {
    pools: await Promise.all(plans.map((plan) => readPool(exchange, plan))),
    positionCount: plans.reduce((sum, { minted }) => sum + minted.length, 0),
  }
}

function encodeCreation({ token0, token1, fee, tick, minted }: Plan, recipient: Address): Hex {
  const abi = positionManagerAbi
  const create = encodeFunctionData({
    abi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [token0, token1, fee, getSqrtRatioAtTick(tick) + 1n],
  })
  const mints = minted.map(({ tickLower, tickUpper, liquidity }) => {
    // Narrow ranges multiply an amount by up to 2^20, a price multiplies or divides it by its root. A tick holds at most
    // about 2^107 of liquidity, and a position at least 1.
    const rootBits = BigInt(Math.abs(tick) >> 13)
    const amount = (liquidity >> (40n + rootBits)) + (10_000n << rootBits)
    const params = {
      token0,
      token1,
      fee,
      tickLower,
      tickUpper,
      amount0Desired: amount,
      amount1Desired: amount,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient,
      deadline: maxUint256,
    }
    return encodeFunctionData({ abi, functionName: 'mint', args: [params] })
  })
  return encodeFunctionData({ abi, functionName: 'multicall', args: [[create, ...mints]] })
}

async function readPool(
  exchange: Exchange,
  { token0, token1, fee, tickSpacing }: Plan,
): Promise<ConcentratedPool> {
  const address = await exchange.client.readContract({
    address: exchange.uniswapV3.uniswapV3Factory,
    abi: uniswapV3FactoryAbi,
    functionName: 'getPool',
    args: [token0, token1, fee],
  })
  const created: ConcentratedPool = {
    kind: 'concentrated',
    chainId: exchange.chainId,
    address: toAddress(address),
    source: 'uniswap-v3',
    currency0: token0,
    currency1: token1,
    fee: toPips(fee),
    tickSpacing,
    sqrtPriceX96: 0n,
    tick: 0,
    liquidity: 0n,
    ticks: toTickMap([], tickSpacing),
  }
  return followV3Pool(exchange, created, 0n)
}

/** Applies all events that the pool logged from a block on. */
export async function followV3Pool(
  { client }: Exchange,
  pool: ConcentratedPool,
  fromBlock: bigint,
): Promise<ConcentratedPool> {
  const logs = await client.getLogs({ address: pool.address, fromBlock })
  return parseEventLogs({ abi: uniswapV3PoolAbi, logs }).reduce(applyConcentratedEvent, pool)
}
