import type { Pool } from '#src/core/pools/pool.ts'
import type { Asset, ChainMarket, Market } from '#src/core/pricing/market.ts'
import type { MultiOrder, Order, TradeType } from '#src/core/pricing/order.ts'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { toUsdPrice } from '#src/core/units/usd.ts'
import { poolAfterSwap } from '#test/bench/livePrices/markets.ts'
import { benchSize, generateMarket } from '#test/bench/route/generate/generateMarket.ts'
import { withAllKinds } from '#test/bench/route/generate/otherKinds.ts'
import { choose, createRandom, type Random } from '#test/bench/route/generate/random.ts'
import type { MarketFile } from '#test/bench/route/marketFile.ts'
import { market as fixture } from '#test/support/fixtures/markets.ts'
import { plain } from '#test/support/orders/orders.ts'

/** Prices an order on the given pools, with one checkout of the code. */
export type Engine = Readonly<{
  createGraph: (pools: readonly Pool[]) => ChainMarket['graph']
  updateGraph: (graph: ChainMarket['graph'], changed: readonly Pool[]) => ChainMarket['graph']
}>

type Token = MarketFile['tokens'][number]
type Side = Readonly<{
  chainId: ChainId
  tokens: readonly Token[]
  currencies: readonly Currency[]
  pools: readonly Pool[]
}>

/** Orders of one value from one currency to another. */
export type Trade = Readonly<{
  exactInput: Order
  exactOutput: Order
  expectedOutput: Order
  /** An exact output that no pools can give. */
  hopeless: Order
  /** The exact input together with further currencies of its chain, up to 16 in all. */
  multiInput: (origins: number) => MultiOrder
}>

/** The most origins of a multi-input order. */
const maxOrigins = 16

/** Number of tokens that can be bridged: the hubs of both chains, which have the same prices. */
const bridged = 5

/** One of two chains, each with its own pools and most of its own currencies. */
function generateSide(seed: number, id: number, size: number, hasAllKinds: boolean): Side {
  const chainId = toChainId(id)
  const grown = { ...benchSize, constantProducts: 0.7 * size, concentrated: 0.3 * size, usd: [] }
  const plainMarket = generateMarket(seed, grown)
  const { file, pools } = hasAllKinds ? withAllKinds(plainMarket, seed) : plainMarket
  const currencies = file.tokens.map(
    ({ id, address, decimals }): Currency => ({
      chainId,
      address: toAddress(address as Address),
      symbol: `T${id}`,
      name: `T${id}`,
      decimals,
      metadata: { verified: true, isNative: false },
    }),
  )
  return {
    chainId,
    tokens: file.tokens,
    currencies,
    pools: pools.map((pool) => ({ ...pool, chainId })),
  }
}

/**
 * Two chains of generated pools and orders from one to the other. The same seed gives the same.
 * @param hasAllKinds whether there are pools of all kinds, and not only constant products and concentrated ones.
 */
export function generateTwoChains(seed: number, size: number, hasAllKinds = false) {
  const random = createRandom(seed)
  const origin = generateSide(2 * seed, 1, size, hasAllKinds)
  const destination = generateSide(2 * seed + 1, 2, size, hasAllKinds)
  const [first] = fixture.chains.values()
  if (first === undefined) throw new Error('The fixture has no chain')

  const chainOf = (
    { chainId, tokens, currencies, pools }: Side,
    { createGraph }: Engine,
  ): ChainMarket => {
    const prices = currencies.map(
      ({ address }, at) =>
        [address, toUsdPrice(BigInt(Math.ceil((tokens[at]?.price ?? 0) * 1e18)))] as const,
    )
    const [wrapped] = currencies
    const native = { ...first.chain.native, chainId }
    if (wrapped === undefined) throw new Error('The market has no currencies')
    return {
      ...first,
      chain: { ...first.chain, id: chainId, native, wrappedNative: wrapped.address },
      graph: createGraph(pools),
      usdPrices: new Map([...prices, [nativeAddress, toUsdPrice(3_000n * 10n ** 18n)]]),
      solverBalances: new Map(currencies.map(({ address }) => [address, toAmount(10n ** 30n)])),
    }
  }

  const assets = Array.from({ length: bridged }, (_, at): Asset => {
    const sides = [origin, destination].map(
      ({ chainId, currencies }) => [chainId, currencies[at] as Currency] as const,
    )
    return {
      symbol: `T${at}`,
      class: at === 0 || at === 3 ? 'major' : 'stable',
      pegTolerance: toBps(300n),
      currencies: new Map(sides),
    }
  })

  return {
    currencies: [...origin.currencies, ...destination.currencies],
    /** The market before the first block. */
    marketFor: (engine: Engine): Market => ({
      ...fixture,
      chains: new Map([origin, destination].map((side) => [side.chainId, chainOf(side, engine)])),
      assets,
    }),
    /** A random trade from the first chain to the second one, of a value between the two in dollars. */
    drawTrade: ([low, high]: readonly [number, number]): Trade => {
      const from = choose(random, origin.currencies)
      const to = choose(random, destination.currencies)
      const usd = low * (high / low) ** random()
      const amountOf = (side: Side, currency: Currency, value: number) => {
        const price = side.tokens[side.currencies.indexOf(currency)]?.price ?? 1
        return toAmount(BigInt(Math.ceil((value / price) * 10 ** currency.decimals)))
      }
      const user = toAddress(`0x${'1'.repeat(40)}`)
      const parties = { user, recipient: user, refundTo: user }
      const order = (tradeType: TradeType, amount: Amount): Order => ({
        ...plain,
        ...parties,
        origin: from,
        destination: to,
        tradeType,
        amount,
      })
      const input = amountOf(origin, from, usd)
      const inputs = chooseOthers(random, origin.currencies, from, maxOrigins - 1)
      return {
        exactInput: order('EXACT_INPUT', input),
        exactOutput: order('EXACT_OUTPUT', amountOf(destination, to, usd)),
        expectedOutput: order('EXPECTED_OUTPUT', amountOf(destination, to, usd)),
        hopeless: order('EXACT_OUTPUT', amountOf(destination, to, 1e12)),
        multiInput: (count) => ({
          user,
          recipient: user,
          destination: to,
          originGasOverhead: 0n,
          txs: [],
          origins: inputs.slice(0, count).map((currency) => ({
            user,
            refundTo: user,
            currency,
            amount: currency === from ? input : amountOf(origin, currency, usd),
          })),
        }),
      }
    },
    /**
     * Pools of each chain after a block: one of fifty has a small swap. Each pool stays near its first price, as traders
     * keep it: pools that drift apart would be a market of nothing but arbitrage.
     */
    nextBlock: (): ReadonlyMap<ChainId, readonly Pool[]> =>
      new Map(
        [origin, destination].map(({ chainId, pools }) => [chainId, swapSome(pools, random)]),
      ),
  }
}

/** The first currency, and `count` random others. */
function chooseOthers(
  random: Random,
  currencies: readonly Currency[],
  first: Currency,
  count: number,
): readonly Currency[] {
  const chosen = new Set([first])
  while (chosen.size <= count) chosen.add(choose(random, currencies))
  return [...chosen]
}

const swapSome = (pools: readonly Pool[], random: Random): readonly Pool[] =>
  pools.filter(() => random() < 0.02).map((pool) => poolAfterSwap(pool, random))

/** The market after a block that changed these pools. */
export const applyBlock = (
  market: Market,
  changed: ReadonlyMap<ChainId, readonly Pool[]>,
  { updateGraph }: Engine,
): Market => ({
  ...market,
  chains: new Map(
    [...market.chains].map(([chainId, chain]) => [
      chainId,
      { ...chain, graph: updateGraph(chain.graph, changed.get(chainId) ?? []) },
    ]),
  ),
})
