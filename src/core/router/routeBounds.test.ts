import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toAmount } from '#src/core/units/amount.ts'
import { generateMarket } from '#test/bench/route/generate/generateMarket.ts'
import { currencyAt, deepPools, wildPools } from '#test/support/arbitraries/graphArbitrary.ts'
import { magnitude } from '#test/support/arbitraries/poolArbitrary.ts'
import { runs } from '#test/support/runs.ts'
import { findRoute, maxRates } from './findRoute.ts'
import { createGraph, type PoolGraph } from './graph.ts'
import type { Route } from './route.ts'
import { boundsTo, routeAmountBounds } from './routeBounds.ts'
import { ratesFrom, ratesTo } from './search/rateTables.ts'

const size = {
  currencies: 12,
  constantProducts: 20,
  concentrated: 20,
  usd: [1_000, 1e6],
  queriesEach: 6,
}
const generated = [1, 2].map((seed) => generateMarket(seed, size))
const generatedCases = generated.flatMap(({ pools, queries }) => {
  const graph = createGraph(pools)
  return queries.map((query) => ({ graph, ...query }))
})

/** Pools, two of their currencies, and an amount: of markets that agree on prices, and of any others. */
const cases = fc.oneof(
  fc.constantFrom(...generatedCases),
  fc.record({
    graph: fc.oneof(deepPools, wildPools).map(createGraph),
    input: fc.constant(currencyAt(0)),
    output: fc.constant(currencyAt(1)),
    amount: magnitude(0, 90).map(toAmount),
  }),
)
const roundingUp = 1 + 1e-6

const hopsOf = (paths: readonly Readonly<{ hops: readonly unknown[] }>[]): number =>
  Math.max(...paths.map(({ hops }) => hops.length))

describe('routeAmountBounds', () => {
  it('bounds every route, for any amount and any number of hops', () => {
    fc.assert(
      fc.property(
        cases,
        fc.integer({ min: 1, max: 6 }),
        ({ graph, input, output, amount }, maxHops) => {
          for (const mode of ['exactInput', 'exactOutput'] as const) {
            const route = findRoute(graph, { input, output, amount, mode, maxHops, gasPrice: 0 })
            if (route === undefined || hasDust(route)) continue
            const bound = routeAmountBounds(graph, input, output, maxHops)
            const [amountIn, amountOut] = [Number(route.amountIn), Number(route.amountOut)]
            expect(amountOut).toBeLessThanOrEqual(bound.maxOutput(amountIn) * roundingUp)
            expect(amountIn * roundingUp).toBeGreaterThanOrEqual(bound.minInput(amountOut))
            for (const rates of ratesBetween(graph, input, output, maxHops))
              expect(amountOut).toBeLessThanOrEqual(
                amountIn * (rates[hopsOf(route.paths) - 1] as number) * roundingUp,
              )
          }
        },
      ),
      { numRuns: runs(300) },
    )
  })

  it('is close to the best route if only its ends are shallow', () => {
    for (const { graph, input, output, amount, usd } of generatedCases) {
      if (usd > 1_000) continue
      const route = findRoute(graph, { input, output, amount, mode: 'exactInput', gasPrice: 0 })
      const bound = routeAmountBounds(graph, input, output, 4).maxOutput(Number(amount))
      expect(Number(route?.amountOut ?? 0n) / bound).toBeGreaterThan(0.98)
    }
  })

  it('cuts off the whole impact of an endless amount at both ends, and nothing of a unit', () => {
    for (const { graph, input, output } of generatedCases) {
      const { maxOutput, minInput } = routeAmountBounds(graph, input, output, 4)
      const rate = maxRates(graph, ratesFrom, input, output, {})[3] as number
      const [unit, endless] = [1, 1e60]
      expect(maxOutput(unit) / rate).toBeCloseTo(1, 9)
      expect(maxOutput(endless) / (endless * rate)).toBeCloseTo(0.7 ** 2, 9)
      expect((minInput(endless) * rate) / endless).toBeCloseTo(1 / 0.7 ** 2, 9)
    }
  })
})

/** A Solidly pool may give a unit's worth more than its virtual reserves do. */
const hasDust = ({ paths }: Route): boolean =>
  paths.some(({ hops }) =>
    hops.some(
      ({ pool, amountIn, amountOut }) =>
        pool.kind === 'solidly' && (amountIn < 10n ** 6n || amountOut < 10n ** 6n),
    ),
  )

const ratesBetween = (
  graph: PoolGraph,
  input: Parameters<typeof maxRates>[2],
  output: Parameters<typeof maxRates>[2],
  maxHops: number,
) => [
  maxRates(graph, ratesFrom, input, output, { maxHops }),
  maxRates(graph, ratesTo, output, input, { maxHops }),
]

const smallGraph = {
  currencies: 150,
  constantProducts: 300,
  concentrated: 10,
  usd: [],
  queriesEach: 0,
}

it('keeps the bounds of a bounded number of currencies, for any number of requests in one block', () => {
  const graph = createGraph(generateMarket(1, smallGraph).pools)
  const currencies = graph.topology.edgesFrom.length
  expect(currencies).toBeGreaterThan(128)
  const first = boundsTo(graph, 0)
  expect(boundsTo(graph, 0)).toBe(first)
  for (let currency = 1; currency < currencies; currency++) boundsTo(graph, currency)
  const again = boundsTo(graph, 0)
  expect(again).not.toBe(first)
  expect(again).toEqual(first)
})
