import { expect, it } from 'vitest'
import { generateMarket } from '#test/bench/route/generate/generateMarket.ts'
import { createGraph } from './graph.ts'
import { boundsTo } from './routeOutputBound.ts'

const size = { currencies: 150, constantProducts: 300, concentrated: 10, usd: [], queriesEach: 0 }

it('keeps the bounds of a bounded number of currencies, for any number of requests in one block', () => {
  const graph = createGraph(generateMarket(1, size).pools)
  const currencies = graph.topology.edgesFrom.length
  expect(currencies).toBeGreaterThan(128)
  const first = boundsTo(graph, 0)
  expect(boundsTo(graph, 0)).toBe(first)
  for (let currency = 1; currency < currencies; currency++) boundsTo(graph, currency)
  const again = boundsTo(graph, 0)
  expect(again).not.toBe(first)
  expect(again).toEqual(first)
})
