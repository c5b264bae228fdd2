import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createGraph } from '#src/core/router/graph.ts'
import { createSimulation, outputFor } from '#src/core/router/pools/poolSimulation.ts'
import { createPathSearch, withoutDiscount } from '#src/core/router/search/searchPaths.ts'
import { generateMarket } from '#test/bench/route/generate/generateMarket.ts'
import { solve } from './equalizeMarginalRates.ts'
import { type Flow, simulateFlow } from './flow.ts'
import { traceFlow } from './marginalRates.ts'

it('solves a system of linear equations with a known solution', () => {
  const systems = fc.integer({ min: 1, max: 8 }).chain((size) => {
    const numbers = (count: number) =>
      fc.array(fc.integer({ min: -9, max: 9 }), { minLength: count, maxLength: count })
    return fc.tuple(numbers(size * size), numbers(size), numbers(size))
  })
  fc.assert(
    fc.property(systems, ([elements, one, other]) => {
      const size = one.length
      // A strictly diagonally dominant matrix always has a solution.
      const a = Float64Array.from(elements, (element, i) =>
        i % (size + 1) === 0 ? element + Math.sign(element || 1) * 9 * size : element,
      )
      const times = (x: readonly number[]) =>
        Float64Array.from(x, (_, row) =>
          x.reduce((sum, value, column) => sum + (a[row * size + column] as number) * value, 0),
        )
      const bs = [times(one), times(other)]
      const rows = Float64Array.from(
        one.flatMap((_, row) => [
          ...a.subarray(row * size, (row + 1) * size),
          ...bs.map((b) => b[row] as number),
        ]),
      )
      solve(rows, size, bs.length)
      const answers = bs.map((_, b) =>
        one.map(
          (_, row) => Math.round((rows[(row + 1) * (size + 2) - 2 + b] as number) * 1e6) / 1e6 + 0,
        ),
      )
      expect(answers).toEqual([one.map((x) => x + 0), other.map((x) => x + 0)])
    }),
  )
})

it('solves systems that need pivoting', () => {
  const rows = Float64Array.of(0, 1, 3, 1, 0, 5)
  solve(rows, 2, 1)
  expect([rows[2], rows[5]]).toEqual([5, 3])
})

const market = generateMarket(1, {
  currencies: 7,
  constantProducts: 12,
  concentrated: 12,
  usd: [10_000],
  queriesEach: 6,
})
const graph = createGraph(market.pools)

/** The twelve best paths of a query, which share many pools, with random shares of its amount. */
const flows = fc
  .tuple(
    fc.constantFrom(...market.queries.filter(({ bound }) => bound > 0)),
    fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 }),
  )
  .map(([query, shares]) => {
    const { currencyNumbers } = graph.topology
    const simulation = createSimulation(graph, undefined)
    const ends = {
      input: currencyNumbers.get(query.input) as number,
      output: currencyNumbers.get(query.output) as number,
    }
    const finder = createPathSearch(simulation, { ...ends, maxHops: 4 })
    const found = finder.findPaths({
      ...withoutDiscount,
      startScore: Number(query.amount),
      nextScore: (edge, amountIn) => outputFor(simulation, edge, amountIn),
      minValue: 0,
      maxCount: shares.length,
    })
    const inputs = found.map((_, path) => ((shares[path] as number) * Number(query.amount)) / 12)
    const flow: Flow = { paths: found.map(({ edges }) => edges), inputs: Float64Array.from(inputs) }
    return { simulation, flow }
  })

it('measures marginal rates that equal the derivatives of the output by each input', () => {
  fc.assert(
    fc.property(flows, fc.nat(11), ({ simulation, flow }, number) => {
      const path = number % flow.paths.length
      const { rates } = traceFlow(simulation, flow)
      const step = (flow.inputs[path] as number) * 1e-4
      const outputWith = (change: number): number =>
        simulateFlow(simulation, {
          paths: flow.paths,
          inputs: flow.inputs.map((input, i) => (i === path ? input + change : input)),
        })
      const slope = (outputWith(step) - outputWith(-step)) / (2 * step)
      // Approximate, because it ignores fees that join the reserves of a pair.
      expect(slope / (rates[path] as number)).toBeCloseTo(1, 2)
    }),
  )
})
