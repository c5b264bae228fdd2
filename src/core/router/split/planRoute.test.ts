import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findRoute } from '#src/core/router/findRoute.ts'
import { createGraph } from '#src/core/router/graph.ts'
import { createSimulation } from '#src/core/router/pools/poolSimulation.ts'
import { comparedGas } from '#src/core/router/route.ts'
import type { RouteTask } from '#src/core/router/search/searchPaths.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { generateMarket } from '#test/bench/route/generate/generateMarket.ts'
import { withAllKinds } from '#test/bench/route/generate/otherKinds.ts'
import { currencyAt, deepPools } from '#test/support/arbitraries/graphArbitrary.ts'
import { magnitude } from '#test/support/arbitraries/poolArbitrary.ts'
import { bestSingle, netOf } from '#test/support/models/bruteForce.ts'
import { runs } from '#test/support/runs.ts'
import { planInput, planOutput } from './planRoute.ts'

const size = { currencies: 9, constantProducts: 10, concentrated: 20, usd: [10_000, 100_000] }

describe('reassignPools', () => {
  // The path that is best for all of the input takes the pool first: the routes would be 10 to 16 bps worse.
  it.each([15, 23, 37])('gives a pool to the path that uses it best (market %i)', (seed) => {
    const { pools, queries } = withAllKinds(generateMarket(seed, { ...size, queriesEach: 4 }), seed)
    const graph = createGraph(pools)
    const { input, output, amount, bound } = queries[5] ?? {}
    if (input === undefined || output === undefined || amount === undefined)
      throw new Error('The market has six queries')
    const route = findRoute(graph, { input, output, amount, mode: 'exactInput', gasPrice: 0 })
    expect(Number(route?.amountOut)).toBeGreaterThan((bound ?? 0) * (1 - 1e-4))
  })
})

describe('the limit of the work', () => {
  const mode = fc.constantFrom('exactInput', 'exactOutput')
  const ends = { input: currencyAt(0), output: currencyAt(1) }

  it('never makes a route worse than the best single path', () => {
    fc.assert(
      fc.property(
        deepPools,
        mode,
        magnitude(10, 90).map(toAmount),
        fc.nat(3_000),
        (pools, mode, amount, maxWork) => {
          const query = { ...ends, mode, amount, gasPrice: 0, maxWork }
          const best = bestSingle(pools, query)
          if (best === undefined) return
          const route = findRoute(createGraph(pools), query)
          const net = route && netOf(query, { ...route, gas: comparedGas(route) })
          expect(net).toBeGreaterThanOrEqual(netOf(query, best))
        },
      ),
      { numRuns: runs(1_000, 300) },
    )
  })

  const market = generateMarket(5, {
    currencies: 60,
    constantProducts: 150,
    concentrated: 80,
    usd: [],
    queriesEach: 0,
  })
  const graph = createGraph(market.pools)
  const currency = fc.nat(market.file.tokens.length - 1)
  const task = fc
    .tuple(currency, currency, magnitude(20, 100), fc.constantFrom(0, 1e10, 1e14))
    .filter(([input, output]) => input !== output)

  const planWithin = (
    maxWork: number,
    mode: 'exactInput' | 'exactOutput',
    [input, output, amount, gasPrice]: readonly [number, number, bigint, number],
  ) => {
    const limits = { maxHops: 4, furtherHops: 6, maxPaths: 32, maxWork }
    const simulation = createSimulation(graph, undefined, maxWork)
    const given: RouteTask = { input, output, gasPrice, ...limits }
    const plan = mode === 'exactInput' ? planInput : planOutput
    return { plans: plan(simulation, given, Number(amount)), work: simulation.work }
  }

  it('changes no plan that does not reach it, and gives the same plan each time', () => {
    fc.assert(
      fc.property(mode, task, fc.integer({ min: 1_000, max: 200_000 }), (mode, task, maxWork) => {
        const limited = planWithin(maxWork, mode, task)
        expect(planWithin(maxWork, mode, task)).toEqual(limited)
        if (limited.work.isCut) return
        expect(limited.plans).toEqual(planWithin(Number.POSITIVE_INFINITY, mode, task).plans)
      }),
      { numRuns: runs(200, 40) },
    )
  })

  it('bounds the work of every plan', () => {
    fc.assert(
      fc.property(mode, task, (mode, task) => {
        const { work } = planWithin(50_000, mode, task)
        expect(work.done).toBeLessThan(2 * 50_000)
      }),
      { numRuns: runs(200, 60) },
    )
  })
})
