import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createGraph } from '#src/core/router/graph.ts'
import {
  closeReverse,
  createSimulation,
  type PoolSimulation,
  rateOf,
  simulateSwap,
} from '#src/core/router/pools/poolSimulation.ts'
import { generateMarket } from '#test/bench/route/generate/generateMarket.ts'
import { deepPools } from '#test/support/arbitraries/graphArbitrary.ts'
import { magnitude } from '#test/support/arbitraries/poolArbitrary.ts'
import {
  createPathRateBounds,
  fillPathRateBounds,
  ratesFrom,
  type SearchEnds,
} from './rateTables.ts'

const size = { currencies: 150, constantProducts: 300, concentrated: 10, usd: [], queriesEach: 0 }

it('keeps a bounded number of tables, for any number of currencies in the requests of one block', () => {
  const graph = createGraph(generateMarket(1, size).pools)
  const currencies = graph.topology.edgesFrom.length
  expect(currencies).toBeGreaterThan(128)
  const first = ratesFrom(graph, 0, 4)
  expect(ratesFrom(graph, 0, 4)).toBe(first)
  for (let currency = 1; currency < currencies; currency++) ratesFrom(graph, currency, 4)
  const again = ratesFrom(graph, 0, 4)
  expect(again).not.toBe(first)
  expect(again).toEqual(first)
})

const maxHops = 4
/** A swap in an edge; beyond their number, edges count from the first one again. */
const swaps = fc.array(fc.tuple(fc.nat(), magnitude(40, 90)), { maxLength: 6 })

/** The best rates to the end in the state of the simulation, from every edge and hop. */
function expectedRates(simulation: PoolSimulation, { end, flip }: SearchEnds): number[][] {
  const { inputs, outputs, edgesFrom } = simulation.graph.topology
  const rows: number[][] = [edgesFrom.map((_, currency) => (currency === end ? 1 : 0))]
  while (rows.length < maxHops) {
    const before = rows.at(-1) as number[]
    const row = [...before]
    for (let edge = 0; edge < inputs.length; edge++) {
      if (simulation.closed[edge] === 1) continue
      const [from, to] = flip === 0 ? [inputs, outputs] : [outputs, inputs]
      const [here, next] = [from[edge] as number, to[edge] as number]
      row[here] = Math.max(row[here] as number, (before[next] as number) * rateOf(simulation, edge))
    }
    rows.push(row)
  }
  return rows
}

it('bounds paths by the rates of the pools as a flow has left them', () => {
  let changedRows = 0
  fc.assert(
    fc.property(deepPools, swaps, fc.constantFrom<0 | 1>(0, 1), (pools, swaps, flip) => {
      const graph = createGraph(pools)
      const count = graph.topology.inputs.length
      const ends: SearchEnds = { start: 0, end: 1, maxHops, flip }
      const simulation = createSimulation(graph, undefined)
      const untouched = expectedRates(simulation, ends)
      const used = swaps.map(([edge, amount]) => [edge % count, Number(amount)] as const)
      for (const [edge, amount] of used) simulateSwap(simulation, edge, amount)
      for (const [edge] of used) closeReverse(simulation, [edge])
      const bounds = createPathRateBounds(graph, maxHops)
      const best = fillPathRateBounds(bounds, simulation, ends, [used.map(([edge]) => edge)])
      const expected = expectedRates(simulation, ends)
      const near = (value: number, other: number) =>
        expect(Math.abs(value - other)).toBeLessThanOrEqual(1e-12 * other)
      for (const [number, row] of bounds.toEnd.entries())
        row.forEach((rate, currency) => {
          near(rate, expected[number]?.[currency] as number)
          if (rate !== untouched[number]?.[currency]) changedRows += 1
        })
      const { inputs, outputs } = graph.topology
      const [from, to] = flip === 0 ? [inputs, outputs] : [outputs, inputs]
      const firsts = [...from.keys()].filter(
        (edge) => from[edge] === ends.start && simulation.closed[edge] === 0,
      )
      const onward = firsts.map(
        (edge) =>
          rateOf(simulation, edge) * (bounds.toEnd[maxHops - 1]?.[to[edge] as number] as number),
      )
      near(best, Math.max(0, ...onward))
    }),
  )
  expect(changedRows).toBeGreaterThan(0)
})
