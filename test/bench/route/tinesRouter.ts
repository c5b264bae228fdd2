import { createRequire } from 'node:module'
import { maxTick, minTick, ticksOf } from '#src/core/pools/concentrated/tickMap.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { poolBalances } from '#test/bench/poolBalances.ts'
import type { BenchMarket } from './marketFile.ts'
import type { RouteEngine } from './routeEngines.ts'

const peers = createRequire(new URL('../peers/package.json', import.meta.url))

type TinesToken = Readonly<{
  name: string
  symbol: string
  address: Address
  decimals: number
  chainId: number
}>
type TinesPool = Readonly<{ address: Address }>

/** The parts of @sushiswap/tines that the benchmark uses. */
type Tines = Readonly<{
  ConstantProductRPool: new (
    address: Address,
    token0: TinesToken,
    token1: TinesToken,
    fee: number,
    reserve0: bigint,
    reserve1: bigint,
  ) => TinesPool
  CLRPool: new (
    address: Address,
    token0: TinesToken,
    token1: TinesToken,
    fee: number,
    tickSpacing: number,
    reserve0: bigint,
    reserve1: bigint,
    liquidity: bigint,
    sqrtPriceX96: bigint,
    nearestTick: number,
    ticks: { index: number; DLiquidity: bigint }[],
  ) => TinesPool
  findMultiRouteExactIn: (
    from: TinesToken,
    to: TinesToken,
    amountIn: bigint,
    pools: readonly TinesPool[],
    baseToken: TinesToken,
    gasPrice: number,
    flows: number,
  ) => Readonly<{
    legs: readonly Readonly<{
      poolAddress: Address
      tokenFrom: TinesToken
      swapPortion: number
    }>[]
  }>
}>

/** The number of equal parts, which are routed one after the other. */
export function createTines(market: BenchMarket, flows: number): RouteEngine {
  const tines = peers('@sushiswap/tines') as Tines
  const tokens = new Map<Address, TinesToken>(
    market.file.tokens.map(({ address, decimals }) => [
      toAddress(address),
      { name: address, symbol: address, address: toAddress(address), decimals, chainId: 1 },
    ]),
  )
  const tokenOf = (address: Address): TinesToken => {
    const token = tokens.get(address)
    if (token === undefined) throw new Error(`No token ${address}`)
    return token
  }
  const pools = market.pools.map((pool) => {
    const ends = [tokenOf(pool.currency0), tokenOf(pool.currency1)] as const
    if (pool.kind === 'constantProduct')
      return new tines.ConstantProductRPool(
        pool.address,
        ...ends,
        pool.fee / 1e6,
        pool.reserve0,
        pool.reserve1,
      )
    if (pool.kind !== 'concentrated') throw new Error(`The peer has no ${pool.kind} pools`)
    const ticks = [
      { index: minTick, DLiquidity: 0n },
      // Tines inverts the sign at every second tick of the spacing.
      ...ticksOf(pool.ticks).map(({ index, liquidityNet }) => ({
        index,
        DLiquidity: (index / pool.tickSpacing) % 2 === 0 ? liquidityNet : -liquidityNet,
      })),
      { index: maxTick, DLiquidity: 0n },
    ]
    return new tines.CLRPool(
      pool.address,
      ...ends,
      pool.fee / 1e6,
      pool.tickSpacing,
      ...poolBalances(pool),
      pool.liquidity,
      pool.sqrtPriceX96,
      ticks.findLastIndex(({ index }) => index <= pool.tick),
      ticks,
    )
  })
  return {
    name: `@sushiswap/tines 1.0.11, ${flows} flows`,
    warmUps: 1,
    runs: 1,
    findTrade: ({ input, output, amount }) => {
      const { legs } = tines.findMultiRouteExactIn(
        tokenOf(input),
        tokenOf(output),
        amount,
        pools,
        tokenOf(input),
        0,
        flows,
      )
      return {
        kind: 'legs',
        legs: legs.map(({ poolAddress, tokenFrom, swapPortion }) => ({
          pool: poolAddress,
          from: tokenFrom.address,
          share: swapPortion,
        })),
      }
    },
  }
}
