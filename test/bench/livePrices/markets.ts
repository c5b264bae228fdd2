import { type Pool, swapExactInput } from '#src/core/pools/pool.ts'
import { evmGas } from '#src/core/pricing/gas/gas.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import { createGraph, poolsOf, updateGraph } from '#src/core/router/graph.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { toUsdPrice } from '#src/core/units/usd.ts'
import { benchSize, generateMarket } from '#test/bench/route/generate/generateMarket.ts'
import { between, choose, type Random } from '#test/bench/route/generate/random.ts'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { market as fixture, originChain } from '#test/support/fixtures/markets.ts'
import { startStack } from '#test/support/gateways/stack.ts'

export type PriceInput = Readonly<Record<keyof typeof crossChainInput, string | number>>

/** A market to follow, with different inputs that it can price. */
export type LiveMarket = Readonly<{
  market: Market
  currencies: readonly Currency[]
  input: (random: Random) => PriceInput
}>

/** The devnet's market: three chains with two dozen pools each. Inputs are swaps between two of its chains. */
export async function devnetMarket(): Promise<LiveMarket> {
  const stack = await startStack()
  try {
    const { chains, accounts } = stack.devnet.description
    const [home, away] = chains
    if (home === undefined || away === undefined) throw new Error('The devnet has no two chains')
    const market = stack.market.snapshot([toChainId(home.id), toChainId(away.id)])
    /** Currency pairs with an input that is worth about a hundred dollars. */
    const pairs: [from: string, to: string, least: number][] = [
      ['ETH', 'USDC', 3e16],
      ['ETH', 'ACORN', 3e16],
      ['USDC', 'ETH', 1e8],
      ['WBTC', 'DAI', 2e5],
    ]
    const addresses = new Map(
      pairs.map((pair) => [
        pair,
        [stack.currencyOn(home.id, pair[0]), stack.currencyOn(away.id, pair[1])] as const,
      ]),
    )
    return {
      market,
      currencies: stack.market.currencies.list(),
      input: (random) => {
        const pair = choose(random, pairs)
        const [originCurrency = '', destinationCurrency = ''] = addresses.get(pair) ?? []
        return {
          user: accounts[0]?.address ?? '',
          originChainId: home.id,
          originCurrency,
          destinationChainId: away.id,
          destinationCurrency,
          amount: `${Math.floor(pair[2] * 100 ** random())}`,
          tradeType: 'EXACT_INPUT',
        }
      },
    }
  } finally {
    await stack.stop()
  }
}

/** A chain with 1,000 pools between 200 currencies. Inputs are swaps there, worth 1,000 to 100,000 dollars. */
export function generatedMarket(): LiveMarket {
  const { file, pools } = generateMarket(1, { ...benchSize, usd: [1_000], queriesEach: 1 })
  const chain = fixture.chains.get(originChain)
  const [wrapped] = file.tokens
  if (chain === undefined || wrapped === undefined) throw new Error('The market has no chain')
  const chainId = toChainId(1)
  const native = { ...chain.chain.native, chainId }
  const currencies = file.tokens.map(
    ({ id, address, decimals }): Currency => ({
      chainId,
      address: address as Currency['address'],
      symbol: `T${id}`,
      name: `T${id}`,
      decimals,
      metadata: { verified: true, isNative: false },
    }),
  )
  const prices = file.tokens.map(
    ({ address, price }) =>
      [address as Currency['address'], toUsdPrice(BigInt(Math.ceil(price * 1e18)))] as const,
  )
  const only: ChainMarket = {
    ...chain,
    chain: {
      ...chain.chain,
      id: chainId,
      native,
      wrappedNative: wrapped.address as Currency['address'],
    },
    graph: createGraph(pools),
    usdPrices: new Map([...prices, [nativeAddress, toUsdPrice(BigInt(wrapped.price * 1e18))]]),
  }
  return {
    market: { ...fixture, chains: new Map([[chainId, only]]), assets: [] },
    currencies: [native, ...currencies],
    input: (random) => {
      const from = choose(random, file.tokens)
      const to = choose(
        random,
        file.tokens.filter((token) => token !== from),
      )
      const units = (1_000 * 100 ** random() * 10 ** from.decimals) / from.price
      return {
        user: crossChainInput.user,
        originChainId: chainId,
        originCurrency: from.address,
        destinationChainId: chainId,
        destinationCurrency: to.address,
        amount: BigInt(Math.ceil(units)).toString(),
        tradeType: 'EXACT_INPUT',
      }
    },
  }
}

/**
 * The market after a block of one chain: another base fee, and a small swap in one pool of fifty. Each pool stays near its
 * price in `base`, as traders keep it: pools that drift apart would be a market of nothing but arbitrage.
 */
export function nextMarket(
  market: Market,
  base: Market,
  { chainId, number }: Readonly<{ chainId: ChainId; number: bigint }>,
  random: Random,
): Market {
  const chain = market.chains.get(chainId)
  const before = base.chains.get(chainId)
  if (chain === undefined || before === undefined)
    throw new Error(`The market has no chain ${chainId}`)
  const swapped = poolsOf(before.graph)
    .filter(() => random() < 0.02)
    .map((pool) => poolAfterSwap(pool, random))
  const hash = `0x${number.toString(16).padStart(64, '0')}` as const
  const next: ChainMarket = {
    ...chain,
    block: { number, hash, timestamp: chain.block.timestamp + 1n },
    graph: swapped.length === 0 ? chain.graph : updateGraph(chain.graph, swapped),
    gas: { ...evmGas(chain.gas), baseFeePerGas: BigInt(Math.floor(between(random, 1e9, 2e9))) },
  }
  return { ...market, chains: new Map(market.chains).set(chainId, next) }
}

/** A swap of a thousandth of the pool, or of what moves its price by half a percent at most. */
export function poolAfterSwap(pool: Pool, random: Random): Pool {
  const zeroForOne = random() < 0.5
  const q96 = 2n ** 96n
  const [reserve0, reserve1] =
    'reserve0' in pool
      ? [pool.reserve0, pool.reserve1]
      : [
          (pool.liquidity * q96) / (pool.sqrtPriceX96 + 1n),
          (pool.liquidity * pool.sqrtPriceX96) / q96,
        ]
  for (let amount = (zeroForOne ? reserve0 : reserve1) / 1_000n; amount > 0n; amount /= 4n) {
    const next = swapExactInput(pool, zeroForOne, toAmount(amount))?.next
    if (next !== undefined && isNear(pool, next)) return next
  }
  return pool
}

/** Whether the prices of the two states differ by half a percent at most. */
function isNear(pool: Pool, next: Pool): boolean {
  const [before, after] = [sqrtPriceOf(pool), sqrtPriceOf(next)]
  return Math.abs(after / before - 1) <= 0.0025
}

const sqrtPriceOf = (pool: Pool): number =>
  'reserve0' in pool
    ? Math.sqrt(Number(pool.reserve1) / Number(pool.reserve0))
    : Number(pool.sqrtPriceX96)
