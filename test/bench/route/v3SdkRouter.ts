import { createRequire } from 'node:module'
import { ticksOf } from '#src/core/pools/concentrated/tickMap.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { BenchMarket } from './marketFile.ts'
import type { RouteEngine } from './routeEngines.ts'

// Its ES modules import directories, so Node needs the CommonJS build.
const require = createRequire(import.meta.url)
const { Pool, TickListDataProvider, Trade } =
  require('@uniswap/v3-sdk') as typeof import('@uniswap/v3-sdk')
const { CurrencyAmount, Token } = require('@uniswap/sdk-core') as typeof import('@uniswap/sdk-core')

/** Finds one path of up to three hops, only through concentrated pools, because the SDK supports no others. */
export function createV3SdkRouter(market: BenchMarket): RouteEngine {
  const tokens = new Map(
    market.file.tokens.map(({ address, decimals }) => [
      toAddress(address),
      new Token(1, address, decimals),
    ]),
  )
  const tokenOf = (address: Address) => {
    const token = tokens.get(address)
    if (token === undefined) throw new Error(`No token ${address}`)
    return token
  }
  const addresses = new Map<InstanceType<typeof Pool>, Address>()
  for (const pool of market.pools) {
    if (pool.kind !== 'concentrated') continue
    const ticks = ticksOf(pool.ticks).map(({ index, liquidityNet, liquidityGross }) => ({
      index,
      liquidityNet: `${liquidityNet}`,
      liquidityGross: `${liquidityGross}`,
    }))
    const theirs = new Pool(
      tokenOf(pool.currency0),
      tokenOf(pool.currency1),
      pool.fee,
      `${pool.sqrtPriceX96}`,
      `${pool.liquidity}`,
      pool.tick,
      new TickListDataProvider(ticks, pool.tickSpacing),
    )
    addresses.set(theirs, pool.address)
  }
  const pools = [...addresses.keys()]
  return {
    name: '@uniswap/v3-sdk 3.31.5, 3 hops',
    warmUps: 0,
    runs: 1,
    findTrade: async ({ input, output, amount }) => {
      const [best] = await Trade.bestTradeExactIn(
        pools,
        CurrencyAmount.fromRawAmount(tokenOf(input), `${amount}`),
        tokenOf(output),
        { maxNumResults: 1, maxHops: 3 },
        // The SDK throws if a pool on the path has no output.
      ).catch(() => [])
      const path = best?.route.pools.map((pool) => addresses.get(pool) ?? toAddress(''))
      return { kind: 'paths', paths: path ? [{ pools: path, amountIn: amount }] : [] }
    },
  }
}
