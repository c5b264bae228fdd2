import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Pool, swapExactInput } from '#src/core/pools/pool.ts'
import { findRoute } from '#src/core/router/findRoute.ts'
import { createGraph } from '#src/core/router/graph.ts'
import { generateMarket, type MarketSize } from '#test/bench/route/generate/generateMarket.ts'
import { withAllKinds } from '#test/bench/route/generate/otherKinds.ts'
import {
  amountOf,
  concentratedPool,
  constantProductPool,
  move,
  slipstreamPool,
  solidlyPool,
  uniswapV4Pool,
} from '#test/support/arbitraries/poolArbitrary.ts'
import { runs } from '#test/support/runs.ts'
import { outputBound } from './outputBound.ts'

/** Maximum excess over the bound by rounding to units: of a million units a fee may be one less. */
const atLeast = (out: number) => out * (1 - 1e-6) - 3

const small: MarketSize = {
  currencies: 30,
  constantProducts: 60,
  concentrated: 40,
  usd: [1_000, 100_000],
  queriesEach: 3,
}

describe('outputBound', () => {
  it.each([
    ['constant-product', constantProductPool],
    ['concentrated', concentratedPool],
    ['Slipstream', slipstreamPool],
    ['Solidly', solidlyPool],
    ['Uniswap v4', uniswapV4Pool],
  ] as const)('is what a single %s pool gives', (_, pools) => {
    const input = move.map((any) => ({ ...any, mode: 'exactInput' as const }))
    let compared = 0
    fc.assert(
      fc.property<[Pool, Parameters<typeof amountOf>[1]]>(pools, input, (pool, one) => {
        const amount = amountOf(pool, one)
        const swap = swapExactInput(pool, one.zeroForOne, amount)
        if (swap === undefined || swap.amountOut < 1_000_000n || amount < 1_000_000n) return
        const ends = one.zeroForOne
          ? { input: pool.currency0, output: pool.currency1 }
          : { input: pool.currency1, output: pool.currency0 }
        const bound = outputBound([pool], { ...ends, amount })
        const out = Number(swap.amountOut)
        expect(bound).toBeGreaterThanOrEqual(atLeast(out))
        expect(bound).toBeLessThanOrEqual(out * 1.01 + 3)
        compared += 1
      }),
      { numRuns: runs(200) },
    )
    expect(compared).toBeGreaterThan(20)
  })

  it('is at least what the router finds in markets of all kinds, and little more', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const market = withAllKinds(generateMarket(seed, small), seed)
        const graph = createGraph(market.pools)
        for (const { input, output, amount, bound, usd } of market.queries) {
          const query = { input, output, amount, gasPrice: 0 }
          const route = findRoute(graph, { ...query, mode: 'exactInput' })
          const out = Number(route?.amountOut ?? 0n)
          expect(bound).toBeGreaterThanOrEqual(atLeast(out))
          if (usd === 1_000) expect(bound).toBeLessThanOrEqual(out * 1.02 + 3)
        }
      }),
      { numRuns: runs(5) },
    )
  })
})
