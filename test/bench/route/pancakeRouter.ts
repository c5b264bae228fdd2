import { createRequire } from 'node:module'
import { ticksOf } from '#src/core/pools/concentrated/tickMap.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { poolBalances } from '#test/bench/poolBalances.ts'
import type { BenchMarket } from './marketFile.ts'
import type { RouteEngine } from './routeEngines.ts'

type Currency = Readonly<{ wrapped: Readonly<{ address: string }> }>
type Amount = Readonly<{ quotient: bigint }>
type PancakePool = Readonly<{ address: string }>

/** The parts of @pancakeswap/smart-router and of its dependencies that the benchmark uses. */
type SmartRouter = Readonly<{
  PoolType: Readonly<{ V2: number; V3: number }>
  InfinityRouter: Readonly<{
    getBestTrade: (
      amount: Amount,
      quoteCurrency: Currency,
      tradeType: number,
      options: Readonly<{
        candidatePools: readonly PancakePool[]
        gasPriceWei: bigint
        maxHops: number
        maxSplits: number
      }>,
    ) => Promise<
      | Readonly<{
          routes: readonly Readonly<{ pools: readonly PancakePool[]; inputAmount: Amount }>[]
        }>
      | undefined
    >
  }>
}>
type Sdk = Readonly<{
  ERC20Token: new (chainId: number, address: string, decimals: number, symbol: string) => Currency
  CurrencyAmount: Readonly<{ fromRawAmount: (currency: Currency, amount: bigint) => Amount }>
  Percent: new (numerator: number, denominator: number) => unknown
  TradeType: Readonly<{ EXACT_INPUT: number }>
}>
type V3Sdk = Readonly<{
  Tick: new (
    tick: Readonly<{ index: number; liquidityNet: bigint; liquidityGross: bigint }>,
  ) => unknown
}>

/** Ethereum, because the package supports only chains on which it is deployed. */
const chainId = 1

/** Routes equal parts one after the other. Each part updates the graph for the next. */
export function createPancake(market: BenchMarket): RouteEngine {
  const require = createRequire(new URL('../peers/package.json', import.meta.url))
  const { InfinityRouter, PoolType } = require('@pancakeswap/smart-router') as SmartRouter
  const own = createRequire(require.resolve('@pancakeswap/smart-router'))
  const sdk = own('@pancakeswap/sdk') as Sdk
  const { Tick } = own('@pancakeswap/v3-sdk') as V3Sdk

  const tokens = new Map<Address, Currency>(
    market.file.tokens.map(({ id, address, decimals }) => [
      toAddress(address),
      new sdk.ERC20Token(chainId, address, decimals, `T${id}`),
    ]),
  )
  const tokenOf = (address: Address): Currency => {
    const token = tokens.get(address)
    if (token === undefined) throw new Error(`No token ${address}`)
    return token
  }
  const toPancake = (pool: Pool): PancakePool => {
    const token0 = tokenOf(pool.currency0)
    const token1 = tokenOf(pool.currency1)
    if (pool.kind === 'constantProduct')
      return {
        type: PoolType.V2,
        address: pool.address,
        reserve0: sdk.CurrencyAmount.fromRawAmount(token0, pool.reserve0),
        reserve1: sdk.CurrencyAmount.fromRawAmount(token1, pool.reserve1),
      } as PancakePool
    if (pool.kind !== 'concentrated') throw new Error(`The peer has no ${pool.kind} pools`)
    const [held0, held1] = poolBalances(pool)
    return {
      type: PoolType.V3,
      address: pool.address,
      token0,
      token1,
      reserve0: sdk.CurrencyAmount.fromRawAmount(token0, held0),
      reserve1: sdk.CurrencyAmount.fromRawAmount(token1, held1),
      fee: pool.fee,
      liquidity: pool.liquidity,
      sqrtRatioX96: pool.sqrtPriceX96,
      tick: pool.tick,
      ticks: ticksOf(pool.ticks).map((tick) => new Tick(tick)),
      token0ProtocolFee: new sdk.Percent(0, 1),
      token1ProtocolFee: new sdk.Percent(0, 1),
    } as PancakePool
  }
  const candidatePools = market.pools.map(toPancake)
  return {
    name: '@pancakeswap/smart-router 7.7.3',
    warmUps: 0,
    runs: 1,
    findTrade: async ({ input, output, amount }) => {
      const trade = await InfinityRouter.getBestTrade(
        sdk.CurrencyAmount.fromRawAmount(tokenOf(input), amount),
        tokenOf(output),
        sdk.TradeType.EXACT_INPUT,
        { candidatePools, gasPriceWei: 0n, maxHops: 4, maxSplits: 100 },
      )
      const paths = trade?.routes.map(({ pools, inputAmount }) => ({
        pools: pools.map(({ address }) => toAddress(address)),
        amountIn: inputAmount.quotient,
      }))
      return { kind: 'paths', paths: paths ?? [] }
    },
  }
}
