import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runSteps, type Steps } from '#src/core/steps.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { generateMarket } from '#test/bench/route/generate/generateMarket.ts'
import { bestSingle, netOf } from '#test/support/models/bruteForce.ts'
import { runs } from '#test/support/runs.ts'
import { findLimit, findRoute, type RouteQuery } from './findRoute.ts'
import { createGraph, updateGraph } from './graph.ts'
import {
  createSimulation,
  endlessWork,
  type PoolSimulation,
  simulate,
} from './pools/poolSimulation.ts'
import { comparedGas } from './route.ts'
import type { RouteTask } from './search/searchPaths.ts'
import { simulateRoute } from './simulate/simulateRoute.ts'
import { planInput, planOutput } from './split/planRoute.ts'

const size = { currencies: 7, constantProducts: 12, concentrated: 12, queriesEach: 4 }
const cases = [1, 2, 3].flatMap((seed) => {
  const { pools, queries } = generateMarket(seed, { ...size, usd: [1e3, 1e5, 3e6] })
  const graph = createGraph(pools)
  return queries.filter(({ bound }) => bound > 0).map((query) => ({ pools, graph, query }))
})
const aCase = fc.constantFrom(...cases)
const mode = fc.constantFrom('exactInput', 'exactOutput')
function* answerNo(): Steps<boolean> {
  yield
  return false
}

/** A search that leaves its arrays in no usable state. */
function* spoil({ reserves }: PoolSimulation): Steps<void> {
  yield
  reserves.fill(1)
}
/** From no work at all to more than most of these searches need. */
const maxWork = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_000 }), fc.nat(30_000))

/** The query in a mode: an exact output is what its input buys. */
function inMode(
  { graph, query: { input, output, amount } }: (typeof cases)[number],
  mode: RouteQuery['mode'],
): RouteQuery {
  const given = { input, output, amount, mode: 'exactInput', gasPrice: 0 } as const
  const bought = mode === 'exactInput' ? undefined : findRoute(graph, given)?.amountOut
  return bought === undefined ? given : { ...given, mode, amount: bought }
}

/** The plans of a query, and the work that is left. */
function planWith(
  { graph }: (typeof cases)[number],
  query: RouteQuery,
  maxWork: number,
  isHopeless: () => Steps<boolean> = answerNo,
) {
  const { currencyNumbers } = graph.topology
  const task: RouteTask = {
    input: currencyNumbers.get(query.input) as number,
    output: currencyNumbers.get(query.output) as number,
    maxHops: 4,
    furtherHops: 6,
    maxPaths: 32,
    gasPrice: query.gasPrice,
  }
  const simulation = createSimulation(graph, undefined, maxWork)
  const plans = runSteps(
    query.mode === 'exactInput'
      ? planInput(simulation, task, Number(query.amount))
      : planOutput(simulation, task, Number(query.amount), isHopeless),
  )
  return { plans, left: simulation.work.left }
}

describe('an output above twice the limit', () => {
  it('has no plan that can be executed', () => {
    for (const each of cases) {
      const query = inMode(each, 'exactOutput')
      const amount = toAmount(2n * (findLimit(each.graph, query) ?? 0n) + 1n)
      const { plans } = planWith(each, { ...query, amount }, endlessWork)
      for (const plan of plans)
        expect(simulateRoute(each.graph, 'exactOutput', plan, amount, amount)).toBeUndefined()
    }
  })
})

describe('an output that a single path gives', () => {
  it('is planned without a look at the largest output, which takes long', () => {
    for (const each of cases) {
      const query = inMode(each, 'exactOutput')
      const isOne = query.mode === 'exactOutput' && bestSingle(each.pools, query) !== undefined
      const isHopeless = function* () {
        yield
        expect(isOne).toBe(false)
        return false
      }
      planWith(each, query, endlessWork, isHopeless)
    }
  })
})

describe('maxWork', () => {
  it('leaves a route that is no worse than the best single path', () => {
    fc.assert(
      fc.property(aCase, mode, maxWork, (each, mode, maxWork) => {
        const query = { ...inMode(each, mode), maxWork }
        const best = bestSingle(each.pools, query)
        const route = findRoute(each.graph, query)
        if (best === undefined) return
        expect(route && netOf(query, { ...route, gas: comparedGas(route) })).toBeGreaterThanOrEqual(
          netOf(query, best),
        )
      }),
      { numRuns: runs(300, 100) },
    )
  })

  it('changes nothing where it is not used up', () => {
    const isLeft: boolean[] = []
    fc.assert(
      fc.property(aCase, mode, maxWork, (each, mode, maxWork) => {
        const query = inMode(each, mode)
        const limited = planWith(each, query, maxWork)
        isLeft.push(limited.left > 0)
        if (limited.left > 0)
          expect(limited.plans).toEqual(planWith(each, query, endlessWork).plans)
      }),
      { numRuns: runs(300, 100) },
    )
    expect(new Set(isLeft).size).toBe(2)
  })

  it('ends a search soon after it is used up', () => {
    fc.assert(
      fc.property(aCase, mode, maxWork, (each, mode, maxWork) => {
        expect(planWith(each, inMode(each, mode), maxWork).left).toBeGreaterThan(-5_000)
      }),
      { numRuns: runs(300, 100) },
    )
  })

  it('is counted by the pools and the query alone, not by time or earlier searches', () => {
    fc.assert(
      fc.property(aCase, mode, maxWork, (each, mode, maxWork) => {
        const query = { ...inMode(each, mode), maxWork }
        const first = planWith(each, query, maxWork)
        const route = findRoute(updateGraph(each.graph, []), query)
        findRoute(each.graph, { ...query, maxWork: endlessWork })
        expect(planWith(each, query, maxWork)).toEqual(first)
        const graph = createGraph(each.pools)
        // The next search uses the arrays of this one.
        runSteps(simulate(graph, undefined, spoil))
        expect(findRoute(graph, query)).toEqual(route)
      }),
      { numRuns: runs(100, 50) },
    )
    const used = cases.map(
      (each) => endlessWork - planWith(each, inMode(each, 'exactInput'), endlessWork).left,
    )
    expect(used.reduce((sum, work) => sum + work, 0)).toMatchInlineSnapshot(`138175`)
  })
})
