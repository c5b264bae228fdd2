import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Pool, swapExactInput } from '#src/core/pools/pool.ts'
import type { Address } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { generateMarket } from '#test/bench/route/generate/generateMarket.ts'
import type { BenchMarket, BenchQuery } from '#test/bench/route/marketFile.ts'
import { currencyAt, poolsBetween } from '#test/support/arbitraries/graphArbitrary.ts'
import { poolOf } from '#test/support/arbitraries/poolArbitrary.ts'
import { bestSingle, netOf } from '#test/support/models/bruteForce.ts'
import { runs } from '#test/support/runs.ts'
import { findRoute, type RouteQuery } from './findRoute.ts'
import { createGraph, type PoolGraph, updateGraph } from './graph.ts'
import { comparedGas, type Route } from './route.ts'

const markets = [1, 2, 3, 4, 5, 6].map((seed) =>
  generateMarket(seed, {
    currencies: 7,
    constantProducts: 12,
    concentrated: 12,
    usd: [100, 1_000, 10_000, 100_000],
    queriesEach: 5,
  }),
)

/** Every query of every market, except between currencies that no pools connect. */
const cases = markets.flatMap((market) => {
  const graph = createGraph(market.pools)
  const joined = market.queries.filter(({ bound }) => bound > 0)
  return joined.map((query) => ({ market, graph, query }))
})

const exactInput = ({ input, output, amount }: BenchQuery): RouteQuery => ({
  input,
  output,
  mode: 'exactInput',
  amount,
  gasPrice: 0,
})

const exactOutput = (query: BenchQuery, amount: Amount): RouteQuery => ({
  ...exactInput(query),
  mode: 'exactOutput',
  amount,
})

const find = (graph: PoolGraph, query: RouteQuery): Route => {
  const route = findRoute(graph, query)
  if (route === undefined) throw new Error('No route')
  return route
}

/** The price of one gas unit in a currency, at 10 gwei and 3,000 dollars per 10^18 wei. */
function gasPriceIn({ file }: BenchMarket, currency: Address): number {
  const token = file.tokens.find(({ address }) => address === currency)
  if (token === undefined) throw new Error('No token')
  return ((10e-9 * 3_000) / token.price) * 10 ** token.decimals
}

const aCase = fc.constantFrom(...cases)

describe('a route through pools that agree on prices', () => {
  it('gives the optimum up to a basis point', () => {
    const some = cases.filter(({ query }) => query.usd <= 10_000)
    expect(some.length).toBeGreaterThan(70)
    for (const { graph, query } of some) {
      const { amountOut } = find(graph, { ...exactInput(query), maxHops: 6 })
      expect(Number(amountOut) / query.bound).toBeGreaterThan(1 - 1e-4)
      expect(Number(amountOut) / query.bound).toBeLessThan(1 + 1e-7)
    }
  })

  it('needs hardly more input than the exact-input route of that output', () => {
    for (const { graph, query } of cases) {
      const { amountIn, amountOut } = find(graph, exactInput(query))
      const bought = find(graph, exactOutput(query, amountOut))
      expect(bought.amountOut).toBe(amountOut)
      expect(Number(bought.amountIn) / Number(amountIn)).toBeLessThan(1 + 1e-4)
    }
  })

  it('gives the output back for its input, up to a tenth of a basis point', () => {
    for (const { graph, query } of cases) {
      const { amountIn, amountOut } = find(
        graph,
        exactOutput(query, toAmount(BigInt(Math.floor(query.bound * 0.9)))),
      )
      const given = find(graph, { ...exactInput(query), amount: amountIn })
      expect(Number(given.amountOut) / Number(amountOut)).toBeGreaterThan(1 - 1e-5)
    }
  })

  it('makes no profit when it is reversed', () => {
    for (const { graph, query } of cases) {
      const route = find(graph, exactInput(query))
      const after = updateGraph(graph, poolsAfter(route))
      const back = find(after, {
        ...exactInput(query),
        input: query.output,
        output: query.input,
        amount: route.amountOut,
      })
      expect(back.amountOut).toBeLessThan(query.amount)
    }
  })

  it('is monotonic in both modes', () => {
    const aShareMore = fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 120 }).map((n) => 10 ** (-n / 20)),
    )
    fc.assert(
      fc.property(
        aCase,
        aShareMore,
        fc.double({ min: 1e-3, max: 1, noNaN: true }),
        ({ graph, query }, more, part) => {
          const some = BigInt(Math.ceil(Number(query.amount) * part))
          const rest = BigInt(Math.ceil(Number(some) * more)) + 1n
          const less = find(graph, { ...exactInput(query), amount: toAmount(some) })
          const larger = find(graph, { ...exactInput(query), amount: toAmount(some + rest) })
          expect(larger.amountOut).toBeGreaterThanOrEqual(less.amountOut)
          const cheaper = find(graph, exactOutput(query, less.amountOut))
          const costlier = find(graph, exactOutput(query, larger.amountOut))
          expect(costlier.amountIn).toBeGreaterThanOrEqual(cheaper.amountIn)
        },
      ),
      { numRuns: runs(300) },
    )
  })

  it('divides an input well if a pool whose fee moves may be swapped in once', () => {
    const [one, other, last, direct] = poolsBetween([
      [0, 2],
      [0, 2],
      [1, 2],
      [0, 1],
    ]) as [Pool, Pool, Pool, Pool]
    const range = { tickLower: -887_220, tickUpper: 887_220, liquidity: 10n ** 26n }
    const price = { tick: 0, sqrtPriceX96: 2n ** 96n }
    const { chainId: _, ...state } = poolOf({ fee: 500, tickSpacing: 60 }, [range], price)
    const { address, currency0, currency1, chainId } = last
    const moving: Pool = { ...state, kind: 'slipstream', address, currency0, currency1, chainId }
    const amount = 2n * 10n ** 23n
    const query: RouteQuery = {
      input: currencyAt(0),
      output: currencyAt(1),
      mode: 'exactInput',
      gasPrice: 0,
      amount: toAmount(amount),
    }
    const route = find(createGraph([one, other, moving, direct]), query)
    const swapAll = (pools: readonly (readonly [Pool, boolean])[], input: bigint) =>
      pools.reduce(
        (held, [pool, zeroForOne]) =>
          swapExactInput(pool, zeroForOne, toAmount(held))?.amountOut ?? toAmount(0n),
        toAmount(input),
      )
    const splits = Array.from({ length: 99 }, (_, at) => (amount * BigInt(at + 1)) / 100n)
    const best = splits.map(
      (part) =>
        swapAll(
          [
            [one, true],
            [moving, false],
          ],
          part,
        ) + swapAll([[direct, true]], amount - part),
    )
    for (const out of best) expect(route.amountOut).toBeGreaterThanOrEqual(out)
  })

  it('is never worse after gas than the best single path', () => {
    for (const { market, graph, query } of cases) {
      const input = { ...exactInput(query), gasPrice: gasPriceIn(market, query.output) }
      const output = {
        ...exactOutput(query, toAmount(BigInt(Math.floor(query.bound * 0.9)))),
        gasPrice: gasPriceIn(market, query.input),
      }
      for (const asked of [input, output]) {
        const route = find(graph, asked)
        const best = bestSingle(market.pools, asked)
        expect(netOf(asked, { ...route, gas: comparedGas(route) })).toBeGreaterThanOrEqual(
          best ? netOf(asked, best) : 0n,
        )
      }
    }
  })

  it('depends on the pools and the query alone, not on earlier searches', () => {
    for (const { graph, query } of cases) {
      const again = updateGraph(graph, [])
      find(again, exactOutput(query, toAmount(BigInt(Math.floor(query.bound * 0.7)))))
      find(again, { ...exactInput(query), maxHops: 3 })
      const fresh = createGraph(graph.pools)
      expect(find(again, exactInput(query))).toEqual(find(fresh, exactInput(query)))
    }
  })

  it('uses fewer paths as gas gets more expensive, down to the cheapest single path', () => {
    for (const { market, graph, query } of cases) {
      const price = gasPriceIn(market, query.output)
      const counts = [0, price, 1e6 * price].map(
        (gasPrice) => find(graph, { ...exactInput(query), gasPrice }).paths.length,
      )
      expect(counts).toEqual(counts.toSorted((one, other) => other - one))
      expect(counts.at(-1)).toBe(1)
    }
  })
})

/** The pools of a route after it. */
const poolsAfter = (route: Route): Pool[] =>
  route.paths.flatMap(({ hops }) =>
    hops.map(({ pool, zeroForOne, amountIn }) => {
      const swap = swapExactInput(pool, zeroForOne, amountIn)
      if (swap === undefined) throw new Error('No swap')
      return swap.next
    }),
  )
