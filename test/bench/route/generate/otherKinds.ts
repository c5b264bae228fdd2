import type { ConcentratedPool } from '#src/core/pools/concentrated/concentratedPool.ts'
import type { ConstantProductPool } from '#src/core/pools/constantProduct/constantProduct.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { toManagedPoolId } from '#src/core/pools/poolKind.ts'
import type { SolidlyPool } from '#src/core/pools/solidly/swapSolidly.ts'
import type { UniswapV4Pool } from '#src/core/pools/uniswapV4/uniswapV4.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toPips } from '#src/core/units/pips.ts'
import { outputBound } from '#test/bench/route/bound/outputBound.ts'
import type { BenchMarket, MarketFile } from '#test/bench/route/marketFile.ts'
import { between, choose, createRandom, type Random } from './random.ts'

type Token = MarketFile['tokens'][number]

/**
 * The market with pools of all kinds: every third concentrated pool becomes one of Uniswap v4 and every third one of
 * Slipstream, every third constant-product pool a volatile one of Solidly, each with the same price and liquidity, and the currencies worth a dollar get stable pools.
 */
export function withAllKinds(market: BenchMarket, seed: number): BenchMarket {
  const random = createRandom(seed + 1_000_000)
  const unitOf = new Map(
    market.file.tokens.map(({ address, decimals }) => [
      toAddress(address),
      10n ** BigInt(decimals),
    ]),
  )
  const converted = market.pools.map((pool, at): Pool => {
    if (pool.kind === 'concentrated' && at % 3 === 1) return { ...pool, kind: 'slipstream' }
    if (at % 3 !== 0) return pool
    if (pool.kind === 'concentrated') return managed(random, pool, at)
    if (pool.kind === 'constantProduct')
      return volatile(random, pool, [
        unitOf.get(pool.currency0) ?? 1n,
        unitOf.get(pool.currency1) ?? 1n,
      ])
    return pool
  })
  const pools = [...converted, ...stablePools(random, market)]
  const queries = market.queries.map((query) => ({ ...query, bound: outputBound(pools, query) }))
  return { ...market, pools, queries }
}

/** With fees of the protocol in some. */
const managed = (random: Random, pool: ConcentratedPool, at: number): UniswapV4Pool => ({
  ...pool,
  kind: 'uniswapV4',
  id: toManagedPoolId(`0x${(at + 1).toString(16).padStart(64, 'e')}`),
  protocolFees: {
    zeroForOne: toPips(choose(random, [0, 0, 100, 300])),
    oneForZero: toPips(choose(random, [0, 0, 100, 300])),
  },
})

const volatile = (
  random: Random,
  { reserve0, reserve1, ...identity }: ConstantProductPool,
  [unit0, unit1]: readonly [bigint, bigint],
): SolidlyPool => ({
  ...identity,
  kind: 'solidly',
  stable: false,
  isPaused: false,
  unit0,
  unit1,
  reserve0,
  reserve1,
  fee: toPips(choose(random, [3_000, 3_000, 10_000])),
})

/** Three between each two currencies worth a dollar. Their fees are above what their prices differ by. */
function stablePools(random: Random, { file, pools: [like] }: BenchMarket): SolidlyPool[] {
  if (like === undefined) throw new RangeError('The market has no pools')
  const dollars = file.tokens.filter(({ price }) => price === 1)
  const pairs = dollars.flatMap((one, at) =>
    dollars
      .slice(at + 1)
      .map((other): [Token, Token] => (one.address < other.address ? [one, other] : [other, one])),
  )
  return pairs
    .flatMap((pair) => [pair, pair, pair])
    .map(([token0, token1], number) => {
      const size = 10 ** between(random, 6, 7.7)
      const reserveOf = ({ decimals }: Token, share: number) =>
        BigInt(Math.ceil(size * share)) * 10n ** BigInt(decimals)
      return {
        chainId: like.chainId,
        source: 'bench',
        kind: 'solidly',
        stable: true,
        isPaused: false,
        address: toAddress(`0x${(number + 1).toString(16).padStart(40, '5')}`),
        currency0: toAddress(token0.address),
        currency1: toAddress(token1.address),
        fee: toPips(choose(random, [100, 500])),
        unit0: 10n ** BigInt(token0.decimals),
        unit1: 10n ** BigInt(token1.decimals),
        reserve0: reserveOf(token0, 1),
        reserve1: reserveOf(token1, between(random, 0.95, 1.05)),
      }
    })
}
