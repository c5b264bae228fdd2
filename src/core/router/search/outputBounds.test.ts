import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boundSinglePathOutput,
  findMaxSinglePathOutput,
  type SwapQuery,
} from '#src/core/router/findRoute.ts'
import { createGraph } from '#src/core/router/graph.ts'
import { currencyAt, deepPools, wildPools } from '#test/support/arbitraries/graphArbitrary.ts'
import { runs } from '#test/support/runs.ts'

describe('maxPathOutputsTo', () => {
  it('bounds the output of a single path of a leg', () => {
    let compared = 0
    fc.assert(
      fc.property(
        fc.oneof(wildPools, deepPools),
        fc.integer({ min: 1, max: 6 }),
        (pools, maxHops) => {
          const graph = createGraph(pools)
          const query: SwapQuery = {
            input: currencyAt(0),
            output: currencyAt(1),
            mode: 'exactOutput',
            maxHops,
            allowsMovingFees: true,
          }
          const reach = findMaxSinglePathOutput(graph, query)
          expect(boundSinglePathOutput(graph, query)).toBeGreaterThanOrEqual(reach)
          if (reach > 0) compared += 1
        },
      ),
      { numRuns: runs(1000, 300) },
    )
    expect(compared).toBeGreaterThan(50)
  })
})
