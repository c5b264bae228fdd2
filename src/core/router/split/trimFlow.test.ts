import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createGraph } from '#src/core/router/graph.ts'
import { createSimulation, type PoolSimulation } from '#src/core/router/pools/poolSimulation.ts'
import {
  createPathSearch,
  type RouteTask,
  withoutDiscount,
} from '#src/core/router/search/searchPaths.ts'
import { pathsForInput } from '#src/core/router/search/singlePaths.ts'
import { runSteps } from '#src/core/steps.ts'
import { toAddress } from '#src/core/units/address.ts'
import { generateMarket } from '#test/bench/route/generate/generateMarket.ts'
import { runs } from '#test/support/runs.ts'
import { narrowFlow, simulateFlow } from './flow.ts'
import { type FlowResult, rebalance } from './rebalance.ts'
import { spreadFlow } from './spreadFlow.ts'
import { flowGas, trimFlow } from './trimFlow.ts'

const market = generateMarket(3, {
  currencies: 12,
  constantProducts: 30,
  concentrated: 30,
  usd: [10_000, 100_000],
  queriesEach: 10,
})
const graph = createGraph(market.pools)
const queries = market.queries.filter(({ bound }) => bound > 0)

const netOf = (simulation: PoolSimulation, { gasPrice }: RouteTask, { flow, output }: FlowResult) =>
  output - gasPrice * flowGas(simulation, flow)

/** Tries to drop every path in turn, the smallest first. */
function trimByTrial(simulation: PoolSimulation, task: RouteTask, start: FlowResult): number {
  let best = rebalance(simulation, start.flow)
  let net = netOf(simulation, task, best)
  const smallestFirst = [...start.flow.paths.entries()].sort(
    ([one], [other]) => (start.flow.inputs[one] as number) - (start.flow.inputs[other] as number),
  )
  for (const [, path] of smallestFirst) {
    const { flow } = best
    if (flow.paths.length === 1) break
    const next = rebalance(
      simulation,
      narrowFlow(flow, (place) => flow.paths[place] !== path),
    )
    if (netOf(simulation, task, next) < net) continue
    best = next
    net = netOf(simulation, task, next)
  }
  return net
}

it('trims a flow as well as trying to drop every path', () => {
  let dropped = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...queries),
      // A split without gas, whose paths cost from nothing to a hundredth of the output.
      fc.double({ min: -8, max: -2, noNaN: true }),
      (query, exponent) => {
        const { currencyNumbers } = graph.topology
        const ends = {
          input: currencyNumbers.get(query.input) as number,
          output: currencyNumbers.get(query.output) as number,
        }
        const free = { ...ends, maxHops: 4, furtherHops: 4, maxPaths: 32, gasPrice: 0 }
        const simulation = createSimulation(graph, undefined)
        const finder = createPathSearch(simulation, free)
        const [single] = pathsForInput(simulation, finder, Number(query.amount), 0)
        if (single === undefined) return
        const flow = { paths: [single.edges], inputs: Float64Array.of(Number(query.amount)) }
        const spread = runSteps(spreadFlow(simulation, free, finder, flow))
        const task = { ...free, gasPrice: (spread.output * 10 ** exponent) / 100_000 }
        const trimmed = runSteps(trimFlow(simulation, task, spread))
        dropped += spread.flow.paths.length - trimmed.flow.paths.length
        const net = netOf(simulation, task, rebalance(simulation, trimmed.flow))
        const best = trimByTrial(simulation, task, spread)
        expect(net).toBeGreaterThanOrEqual(best - Math.abs(best) * 1e-5)
      },
    ),
    { numRuns: runs(200) },
  )
  expect(dropped).toBeGreaterThan(0)
})

/** Pools between two currencies with the given reserves and without gas, and a path through each. */
function parallelPools(...reserves: readonly (readonly [bigint, bigint])[]) {
  const [template] = market.pools.filter(({ kind }) => kind === 'constantProduct')
  if (template?.kind !== 'constantProduct') throw new Error('The market has no such pool')
  const pools = reserves.map(([reserve0, reserve1], at) => ({
    ...template,
    address: toAddress(`0x${`${at + 1}`.padStart(40, '0')}`),
    reserve0,
    reserve1,
  }))
  const graph = createGraph(pools)
  const { currencyNumbers } = graph.topology
  const input = currencyNumbers.get(template.currency0) as number
  const output = currencyNumbers.get(template.currency1) as number
  const paths = createPathSearch(createSimulation(graph, undefined), {
    input,
    output,
    maxHops: 1,
  })
    .findPaths({
      startScore: 1,
      nextScore: (_, amount) => amount,
      minValue: 0,
      maxCount: pools.length,
      ...withoutDiscount,
    })
    .map(({ edges }) => edges)
    .sort(([one = 0], [other = 0]) => one - other)
  return { simulation: createSimulation(graph, undefined), input, output, paths }
}

it('trimming keeps the path that all input has moved to', () => {
  // The second pool is so bad that without the third path it gets nothing, though it began with the most.
  const { simulation, input, output, paths } = parallelPools(
    [10n ** 24n, 10n ** 24n],
    [10n ** 24n, 10n ** 18n],
    [10n ** 21n, 10n ** 21n],
  )
  const task = { input, output, maxHops: 1, furtherHops: 1, maxPaths: 32, gasPrice: 10 ** 17 }
  const start = { paths, inputs: Float64Array.of(2e20, 3e20, 1e19) }
  const simulated = simulateFlow(simulation, start)
  const trimmed = runSteps(trimFlow(simulation, task, { flow: start, output: simulated }))
  expect(trimmed.flow.paths).toEqual([paths[0]])
  expect(trimmed.flow.inputs[0]).toBeCloseTo(5.1e20, -10)
  expect(trimmed.output).toBeGreaterThan(5e20)
})
