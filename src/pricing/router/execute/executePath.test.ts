import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGraph, type PoolGraph } from '#src/pricing/router/graph.ts'
import {
  createTrial,
  outputFor,
  rateOf,
  wholeOf,
} from '#src/pricing/router/pools/poolSimulation.ts'
import { mostOutput } from '#src/pricing/router/search/maxOutput.ts'
import type { Task } from '#src/pricing/router/search/routeTask.ts'
import { createPathSearch, withoutGas } from '#src/pricing/router/search/searchPaths.ts'
import { toAmount } from '#src/units/amount.ts'
import { currencyAt, deepPools, wildPools } from '#test/support/arbitraries/graphArbitrary.ts'
import { executeMost, type Side, sides } from './executePath.ts'
import { fillPaths } from './fillPaths.ts'

const pools = fc.oneof(deepPools, wildPools)

function taskOn(graph: PoolGraph): Task | undefined {
  const { currencyNumbers } = graph.topology
  const input = currencyNumbers.get(currencyAt(0))
  const output = currencyNumbers.get(currencyAt(1))
  if (input === undefined || output === undefined) return undefined
  return { input, output, maxHops: 4, maxPaths: 32, gasPrice: 0 }
}

/** The path with the best rate, and what executes amounts along it. */
function pathOn(graph: PoolGraph, task: Task, side: Side) {
  const trial = createTrial(graph, undefined)
  const { look, findPaths } = createPathSearch(trial, task)
  look()
  const carry = (edge: number, score: number) => score * rateOf(trial, edge)
  const [path] = findPaths({ atStart: 1, carry, ...withoutGas, least: 0, most: 1 })
  if (path === undefined) return undefined
  const execute = (amount: bigint) => side.execute(graph, new Map(), path.edges, toAmount(amount))
  const most = (atMost: bigint) => executeMost(side, graph, new Map(), path.edges, atMost)
  return { execute, most }
}

describe('mostOutput', () => {
  it('is no less than what fills all paths, whatever is paid in', () => {
    fc.assert(
      fc.property(pools, (pools) => {
        const graph = createGraph(pools)
        const task = taskOn(graph)
        if (task === undefined) return
        const paths = fillPaths(graph, sides.exactOutput, task, undefined, 2n ** 256n - 1n)
        const filled = paths.reduce((sum, { amountOut }) => sum + amountOut, 0n)
        const most = mostOutput(createTrial(graph, undefined), task)
        expect(Number(filled)).toBeLessThanOrEqual(most)
      }),
      { numRuns: 500 },
    )
  })
})

describe('executeMost', () => {
  it('leaves not a unit more that one pool could take or give', () => {
    const atMost = fc.bigInt(1n, 250n).map((bits) => 2n ** bits - 1n)
    const kinds = fc.constantFrom(sides.exactInput, sides.exactOutput)
    fc.assert(
      fc.property(deepPools, kinds, atMost, (pools, side, atMost) => {
        const graph = createGraph(pools)
        const task = taskOn(graph)
        const path = task && pathOn(graph, { ...task, maxHops: 1 }, side)
        if (path === undefined) return
        const amount = path.most(atMost)?.path[side.given] ?? 0n
        expect(amount).toBeLessThanOrEqual(atMost)
        if (amount > 0n) expect(path.execute(amount)).toBeDefined()
        if (amount < atMost) expect(path.execute(amount + 1n)).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })

  it('does not depend on how much more is left', () => {
    const kinds = fc.constantFrom(sides.exactInput, sides.exactOutput)
    fc.assert(
      fc.property(pools, kinds, fc.bigInt(0n, 10n ** 30n), (pools, side, more) => {
        const graph = createGraph(pools)
        const task = taskOn(graph)
        const path = task && pathOn(graph, task, side)
        const most = path?.most(2n ** 256n - 1n)
        if (path === undefined || most === undefined) return
        const amount = most.path[side.given]
        const again = path.most(amount + more)?.path[side.given] ?? 0n
        // Where all of it can be had by chance, that is just as well.
        expect([amount, amount + more]).toContain(again)
      }),
      { numRuns: 500 },
    )
  })
})

describe('wholeOf', () => {
  it('is what a flood of input buys, and no less input buys less', () => {
    fc.assert(
      fc.property(pools, (pools) => {
        const trial = createTrial(createGraph(pools), undefined)
        for (let edge = 0; edge < 2 * pools.length; edge++) {
          const { takes, gives } = wholeOf(trial, edge)
          expect(outputFor(trial, edge, 2 ** 200)).toBe(gives)
          expect(outputFor(trial, edge, takes)).toBeGreaterThanOrEqual(gives * (1 - 1e-9))
        }
      }),
    )
  })
})
