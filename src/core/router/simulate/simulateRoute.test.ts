import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Pool, swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import { givenAmount, type SwapMode } from '#src/core/pools/poolKind.ts'
import { createGraph, type PoolGraph } from '#src/core/router/graph.ts'
import { edgeCapacity, untouchedOutputs } from '#src/core/router/pools/edgeCapacity.ts'
import { createSimulation, outputFor, rateOf } from '#src/core/router/pools/poolSimulation.ts'
import type { Path } from '#src/core/router/route.ts'
import { maxRouteOutput } from '#src/core/router/search/outputBounds.ts'
import {
  createPathSearch,
  type RouteTask,
  withoutDiscount,
} from '#src/core/router/search/searchPaths.ts'
import { runSteps } from '#src/core/steps.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toPips } from '#src/core/units/pips.ts'
import {
  currencyAt,
  deepPools,
  poolsBetween,
  wildPools,
} from '#test/support/arbitraries/graphArbitrary.ts'
import { magnitude } from '#test/support/arbitraries/poolArbitrary.ts'
import { runs } from '#test/support/runs.ts'
import { fillPaths } from './fillPaths.ts'
import { simulateMax, simulatePath, simulateRoute } from './simulateRoute.ts'

const parallel = createGraph(
  poolsBetween([
    [0, 1],
    [0, 1],
    [0, 1],
  ]),
)
/** Each of the pools, in the direction of its first currency. */
const paths = [[0], [2], [4]]

const share = fc.oneof(
  fc.double({ min: 0.01, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 2 ** -60, noNaN: true }),
)
const shares = fc
  .tuple(share, share, share)
  .filter((shares) => shares.some((each) => each > 0))
  .map((shares) => Float64Array.from(shares))

const execute = (shares: Float64Array, amount: bigint, planned: bigint) =>
  simulateRoute(parallel, 'exactInput', { paths, shares, amount: 0, gas: 0 }, amount, planned)

const sumOf = (paths: readonly Path[] | undefined, amount: 'amountIn' | 'amountOut') =>
  paths?.reduce((sum, path) => sum + path[amount], 0n)

it('swaps the whole amount, or nothing if the last path gives nothing for the rest', () => {
  fc.assert(
    fc.property(shares, magnitude(53, 90), fc.nat(1_000), (shares, planned, more) => {
      const amount = planned + BigInt(more)
      const swapped = sumOf(execute(shares, amount, planned), 'amountIn')
      expect(swapped).toBe(swapped === undefined ? undefined : amount)
      if ((shares[2] as number) >= 0.01) expect(swapped).toBeDefined()
    }),
    { numRuns: runs(2_000, 800) },
  )
})

it('gives no less for more of an amount whose shares are the same', () => {
  fc.assert(
    fc.property(shares, magnitude(53, 90), fc.nat(1_000), (shares, planned, more) => {
      fc.pre((shares[2] as number) >= 0.01)
      const less = sumOf(execute(shares, planned, planned), 'amountOut')
      const greater = sumOf(execute(shares, planned + BigInt(more), planned), 'amountOut')
      expect(greater).toBeGreaterThanOrEqual(less as bigint)
    }),
    { numRuns: runs(1_000, 400) },
  )
})

const pools = fc.oneof(deepPools, wildPools)

function taskOn(graph: PoolGraph, to = 1): RouteTask | undefined {
  const { currencyNumbers } = graph.topology
  const input = currencyNumbers.get(currencyAt(0))
  const output = currencyNumbers.get(currencyAt(to))
  if (input === undefined || output === undefined) return undefined
  return { input, output, maxHops: 4, furtherHops: 4, maxPaths: 32, gasPrice: 0 }
}

/** Executes amounts along the path with the best rate. */
function pathOn(graph: PoolGraph, task: RouteTask, mode: SwapMode) {
  const simulation = createSimulation(graph, undefined)
  const { findPaths } = createPathSearch(simulation, task)
  const [path] = findPaths({
    startScore: 2 ** -200,
    nextScore: (edge, score) => score * rateOf(simulation, edge),
    ...withoutDiscount,
    minValue: 0,
    maxCount: 1,
  })
  if (path === undefined) return undefined
  const execute = (amount: bigint) =>
    simulatePath(mode, graph, new Map(), path.edges, toAmount(amount))
  const max = (atMost: bigint) => simulateMax(mode, graph, new Map(), path.edges, atMost)
  return { execute, max }
}

describe('maxRouteOutput', () => {
  it('is at least the output of all filled paths', () => {
    fc.assert(
      fc.property(pools, (pools) => {
        const graph = createGraph(pools)
        const task = taskOn(graph)
        if (task === undefined) return
        const paths = runSteps(fillPaths(graph, 'exactOutput', task, undefined, 2n ** 256n - 1n))
        const filled = paths.reduce((sum, { amountOut }) => sum + amountOut, 0n)
        const max = maxRouteOutput(createSimulation(graph, undefined), task)
        expect(Number(filled)).toBeLessThanOrEqual(max)
      }),
      { numRuns: runs(500, 200) },
    )
  })
})

describe('simulatePath', () => {
  it('gives a stable pool no more than it can take, also if the output costs less', () => {
    // The least unit of the first pool buys far more than the sums of the stable pool can hold.
    const [coarse, stable] = poolsBetween([
      [0, 1],
      [1, 2],
    ])
    if (coarse === undefined || stable === undefined) throw new Error('There are no pools')
    const { reserve0: _, reserve1: __, ...named } = { ...stable, reserve0: 0n, reserve1: 0n }
    const million = 10n ** 12n
    const graph = createGraph([
      { ...coarse, reserve0: 4n, reserve1: 2n ** 111n } as Pool,
      {
        ...named,
        kind: 'solidly',
        fee: toPips(100),
        stable: true,
        isPaused: false,
        unit0: 10n ** 6n,
        unit1: 10n ** 6n,
        reserve0: million,
        reserve1: million,
      } as Pool,
    ])
    const [first, second] = graph.pools as [Pool, Pool]
    const whole = swapExactInput(first, true, toAmount(1n))?.amountOut ?? toAmount(1n)
    expect(swapExactInput(second, true, whole)).toBeUndefined()
    expect(swapExactOutput(second, true, toAmount(1_000n))).toBeDefined()
    expect(simulatePath('exactOutput', graph, new Map(), [0, 2], toAmount(1_000n))).toBeUndefined()
  })
})

describe('simulateMax', () => {
  it('finds the largest amount of a single pool to the unit', () => {
    const atMost = fc.bigInt(1n, 250n).map((bits) => 2n ** bits - 1n)
    const modes = fc.constantFrom<SwapMode[]>('exactInput', 'exactOutput')
    fc.assert(
      fc.property(deepPools, modes, atMost, (pools, mode, atMost) => {
        const graph = createGraph(pools)
        const task = taskOn(graph)
        const path = task && pathOn(graph, { ...task, maxHops: 1 }, mode)
        if (path === undefined) return
        const amount = path.max(atMost)?.path[givenAmount[mode]] ?? 0n
        expect(amount).toBeLessThanOrEqual(atMost)
        if (amount > 0n) expect(path.execute(amount)).toBeDefined()
        if (amount < atMost) expect(path.execute(amount + 1n)).toBeUndefined()
      }),
      { numRuns: runs(500, 200) },
    )
  })

  it('finds the largest output if the output of the largest input cannot be requested', () => {
    // All 99 units of the first pool give 25, but a request for 25 rounds up to 100 units.
    const reserves = [
      { reserve0: 1000n, reserve1: 100n },
      { reserve0: 99n, reserve1: 50n },
    ]
    const pools = poolsBetween([
      [0, 1],
      [1, 2],
    ])
    const graph = createGraph(
      pools.map((pool, at) => ({ ...pool, fee: toPips(0), ...reserves[at] }) as Pool),
    )
    const task = taskOn(graph, 2)
    const largestOutput = (mode: SwapMode) =>
      task && pathOn(graph, task, mode)?.max(2n ** 100n)?.path.amountOut
    expect(largestOutput('exactInput')).toBe(25n)
    expect(largestOutput('exactOutput')).toBe(24n)
  })

  it('does not depend on the limit beyond the largest amount', () => {
    const modes = fc.constantFrom<SwapMode[]>('exactInput', 'exactOutput')
    fc.assert(
      fc.property(pools, modes, fc.bigInt(0n, 10n ** 30n), (pools, mode, more) => {
        const graph = createGraph(pools)
        const task = taskOn(graph)
        const path = task && pathOn(graph, task, mode)
        const max = path?.max(2n ** 256n - 1n)
        if (path === undefined || max === undefined) return
        const amount = max.path[givenAmount[mode]]
        const again = path.max(amount + more)?.path[givenAmount[mode]] ?? 0n
        // Rounding may let the whole larger amount through.
        expect([amount, amount + more]).toContain(again)
      }),
      { numRuns: runs(500, 200) },
    )
  })
})

describe('untouchedOutputs', () => {
  it('equal the outputs of the pools in the state of the graph', () => {
    fc.assert(
      fc.property(fc.oneof(pools, deepPools), fc.bigInt(1n, 120n), (pools, bits) => {
        const simulation = createSimulation(createGraph(pools), undefined)
        const untouched = untouchedOutputs(simulation)
        const amount = Number(2n ** bits)
        for (let edge = 0; edge < 2 * pools.length; edge++) {
          const out = outputFor(simulation, edge, amount)
          expect(Math.abs(untouched(edge, amount) - out)).toBeLessThanOrEqual(1e-9 * out)
        }
      }),
    )
  })
})

describe('edgeCapacity', () => {
  it('equals the output for an excessive input', () => {
    fc.assert(
      fc.property(pools, (pools) => {
        const graph = createGraph(pools)
        const simulation = createSimulation(graph, undefined)
        for (let edge = 0; edge < 2 * pools.length; edge++) {
          const { amountIn, amountOut } = edgeCapacity(graph, edge)
          expect(outputFor(simulation, edge, 2 ** 200)).toBe(amountOut)
          expect(outputFor(simulation, edge, amountIn)).toBeGreaterThanOrEqual(
            amountOut * (1 - 1e-9),
          )
        }
      }),
    )
  })
})
