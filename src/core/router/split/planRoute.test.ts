import { describe, expect, it } from 'vitest'
import { findRoute } from '#src/core/router/findRoute.ts'
import { createGraph } from '#src/core/router/graph.ts'
import { generateMarket } from '#test/bench/route/generate/generateMarket.ts'
import { withAllKinds } from '#test/bench/route/generate/otherKinds.ts'

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
