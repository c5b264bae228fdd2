import { expect, it } from 'vitest'
import { createGraph } from '#src/core/router/graph.ts'
import { generateMarket } from '#test/bench/route/generate/generateMarket.ts'
import { ratesFrom } from './rateTables.ts'

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
