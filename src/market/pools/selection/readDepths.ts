import { erc20Abi, type Hash } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { uniswapV2PairAbi, uniswapV3PoolAbi } from '#src/contracts/abis.ts'
import type { DiscoveredPool } from '#src/market/pools/discovery/discoveredPool.ts'
import { depthInRange, depthOfReserves, type PoolDepth } from '#src/market/pools/poolDepth.ts'
import { read, readAll } from '#src/market/reads/readAll.ts'
import type { Address } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { toUsd, type Usd, type UsdQuoted, usdValueDown } from '#src/units/usd.ts'

/** The currencies in which depth is counted, with their prices by feeds: no pool can change these. */
export type TrustedPrices = ReadonlyMap<Address, UsdQuoted>

/** The contract calls that the look at a pool takes; 0 for a pool without a trusted currency. */
export function readsFor(
  { kind, currency0, currency1 }: DiscoveredPool,
  prices: TrustedPrices,
): number {
  const trusted = [currency0, currency1].filter((each) => prices.has(each)).length
  return kind === 'concentrated' && trusted > 0 ? 2 + trusted : trusted && 1
}

/**
 * How deep each pool is in its trusted currency, in the deeper one if both are: what `PoolDepth` says, in US dollars and
 * rounded down. Ticks are not read: the liquidity at the current price stands for all of a concentrated pool, which counts
 * with what it holds at most. A pool that does not answer has no depth. Leaves out pools without a trusted currency.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function readDepths(
  client: ChainClient,
  pools: readonly DiscoveredPool[],
  prices: TrustedPrices,
  blockHash: Hash,
): Promise<ReadonlyMap<Address, Usd>> {
  const trusted = pools.filter((pool) => readsFor(pool, prices) > 0)
  const pairs = trusted.filter(({ kind }) => kind === 'constantProduct')
  const concentrated = trusted.filter(({ kind }) => kind === 'concentrated')
  const sides = concentrated.flatMap(({ address, currency0, currency1 }) =>
    [currency0, currency1].filter((each) => prices.has(each)).map((each) => ({ address, each })),
  )
  const { reserves, slots, liquidities, balances } = await readAll(
    client,
    {
      reserves: pairs.map(({ address }) => read(address, uniswapV2PairAbi, 'getReserves', [])),
      slots: concentrated.map(({ address }) => read(address, uniswapV3PoolAbi, 'slot0', [])),
      liquidities: concentrated.map(({ address }) =>
        read(address, uniswapV3PoolAbi, 'liquidity', []),
      ),
      balances: sides.map(({ address, each }) => read(each, erc20Abi, 'balanceOf', [address])),
    },
    blockHash,
  )
  const depths = new Map<Address, PoolDepth>()
  pairs.forEach(({ address }, at) => {
    const [reserve0, reserve1] = reserves[at] ?? [0n, 0n]
    depths.set(address, depthOfReserves({ reserve0, reserve1 }))
  })
  const balanceOf = new Map(
    sides.map(({ address, each }, at) => [`${address} ${each}`, balances[at] ?? 0n] as const),
  )
  concentrated.forEach(({ address, currency0, currency1 }, at) => {
    const [sqrtPriceX96] = slots[at] ?? [0n]
    const inRange = depthInRange({ sqrtPriceX96, liquidity: liquidities[at] ?? 0n })
    const held = (currency: Address) => balanceOf.get(`${address} ${currency}`) ?? 0n
    depths.set(address, {
      amount0: smaller(inRange.amount0, held(currency0)),
      amount1: smaller(inRange.amount1, held(currency1)),
    })
  })
  return new Map(trusted.map((pool) => [pool.address, usdOf(pool, depths, prices)]))
}

function usdOf(
  { address, currency0, currency1 }: DiscoveredPool,
  depths: ReadonlyMap<Address, PoolDepth>,
  prices: TrustedPrices,
): Usd {
  const { amount0, amount1 } = depths.get(address) ?? { amount0: 0n, amount1: 0n }
  const value = (currency: Address, amount: bigint): Usd => {
    const quoted = prices.get(currency)
    return quoted ? usdValueDown(toAmount(amount), quoted.decimals, quoted.price) : toUsd(0n)
  }
  const other = value(currency1, amount1)
  const one = value(currency0, amount0)
  if (one < other) return other
  return one
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
