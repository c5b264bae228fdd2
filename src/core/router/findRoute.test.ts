import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConstantProductPool } from '#src/core/pools/constantProduct/constantProduct.ts'
import { kindOf, type Pool, swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolKind.ts'
import { giveAll } from '#src/core/pools/solidly/swapSolidly.ts'
import { toAmount } from '#src/core/units/amount.ts'
import {
  currencyAt,
  deepPools,
  poolsBetween,
  wildPools,
} from '#test/support/arbitraries/graphArbitrary.ts'
import { magnitude, poolOf } from '#test/support/arbitraries/poolArbitrary.ts'
import { bestSingle, netOf } from '#test/support/models/bruteForce.ts'
import { runs } from '#test/support/runs.ts'
import { findLimit, findRoute, type RouteQuery } from './findRoute.ts'
import { createGraph } from './graph.ts'
import { comparedGas, type Route } from './route.ts'
import { maxFlowGas } from './split/trimFlow.ts'

const amount = magnitude(0, 90).map(toAmount)
const mode = fc.constantFrom('exactInput', 'exactOutput')
const unit = 10n ** 18n

const queryFor = (changes: Partial<RouteQuery>): RouteQuery => ({
  input: currencyAt(0),
  output: currencyAt(1),
  mode: 'exactInput',
  amount: toAmount(unit),
  gasPrice: 0,
  ...changes,
})

const netOfRoute = (query: RouteQuery, route: Route): bigint =>
  netOf(query, { ...route, gas: comparedGas(route) })

/**
 * Swaps the hops in order on the original pools, as our router contract does: the last hop of a path for an exact
 * output is an exact-output swap. A Solidly pool is given all that there is. A pool whose fee moves is swapped in once,
 * and not for an exact output.
 */
function expectExecutable(pools: readonly Pool[], query: RouteQuery, route: Route): void {
  const moving = route.paths
    .flatMap(({ hops }) => hops.map(({ pool }) => pool))
    .filter((pool) => kindOf(pool).hasMovingFee)
  expect(new Set(moving.map(poolIdOf)).size).toBe(moving.length)
  if (query.mode === 'exactOutput' && !query.allowsMovingFees) expect(moving).toEqual([])
  const current = new Map<PoolId, Pool>(pools.map((pool) => [poolIdOf(pool), pool]))
  let paid = 0n
  let promised = 0n
  for (const path of route.paths) {
    let currency = query.input
    let carried = path.amountIn
    for (const [at, hop] of path.hops.entries()) {
      const { pool, zeroForOne } = hop
      expect(pool).toEqual(current.get(poolIdOf(pool)))
      expect(zeroForOne ? pool.currency0 : pool.currency1).toBe(currency)
      const asksOutput = query.mode === 'exactOutput' && at === path.hops.length - 1
      const swap = asksOutput
        ? swapExactOutput(pool, zeroForOne, path.amountOut)
        : swapExactInput(pool, zeroForOne, carried)
      if (swap === undefined) throw new Error('A hop cannot be executed')
      const { amountIn, amountOut, ticksCrossed } = swap
      const givesAll = pool.kind === 'solidly'
      expect(hop).toMatchObject({
        amountIn: givesAll ? carried : amountIn,
        amountOut,
        ticksCrossed,
      })
      expect(amountIn).toBeLessThanOrEqual(carried)
      if (asksOutput && !givesAll) expect(hop.amountIn).toBeLessThanOrEqual(carried)
      else expect(hop.amountIn).toBe(carried)
      const next = givesAll ? giveAll(pool, zeroForOne, carried, amountOut) : swap.next
      if (next === undefined) throw new Error('A pool is given more than it can take')
      current.set(poolIdOf(pool), next)
      carried = swap.amountOut
      currency = zeroForOne ? pool.currency1 : pool.currency0
    }
    expect(currency).toBe(query.output)
    expect(path.amountOut).toBe(carried)
    paid += path.amountIn
    promised += path.amountOut
  }
  expect(route).toMatchObject({ amountIn: paid, amountOut: promised })
  expect(query.mode === 'exactInput' ? paid : promised).toBe(query.amount)
}

describe('findRoute', () => {
  it('is never worse than the best single path', () => {
    fc.assert(
      fc.property(deepPools, mode, amount, (pools, mode, amount) => {
        const query = queryFor({ mode, amount })
        const best = bestSingle(pools, query)
        if (best === undefined) return
        const route = findRoute(createGraph(pools), query)
        expect(route && netOfRoute(query, route)).toBeGreaterThanOrEqual(netOf(query, best))
      }),
      { numRuns: runs(1_000, 400) },
    )
  })

  it('is not worse if an amount of two units cannot be divided as planned', () => {
    const reserves = [
      [2n ** 80n, 2n ** 50n],
      [2n ** 71n, 2n ** 50n],
      [2n ** 53n, 2n ** 88n],
      [2_389_772_521_936_666_230_785n, 2n ** 50n],
      [2n ** 60n, 2n ** 60n],
    ] as const
    const pairs = [
      [2, 4],
      [1, 2],
      [0, 4],
      [1, 4],
      [0, 1],
    ] as const
    const pools = poolsBetween(pairs).map((pool, at): Pool => {
      const [reserve0 = 0n, reserve1 = 0n] = reserves[at] ?? []
      return { ...(pool as ConstantProductPool), reserve0, reserve1 }
    })
    const query = queryFor({ amount: toAmount(2n) })
    const best = bestSingle(pools, query)
    const route = findRoute(createGraph(pools), query)
    expect(route?.amountOut).toBeGreaterThanOrEqual(best?.amountOut ?? 0n)
  })

  it('equals the swaps of its hops, one by one', () => {
    fc.assert(
      fc.property(
        fc.oneof(deepPools, wildPools),
        fc.record({ mode, amount, allowsMovingFees: fc.boolean() }),
        (pools, asked) => {
          const query = queryFor(asked)
          const route = findRoute(createGraph(pools), query)
          if (route !== undefined) expectExecutable(pools, query, route)
        },
      ),
      { numRuns: runs(1_000, 400) },
    )
  })

  it('does not depend on the order of the pools', () => {
    const shuffled = deepPools.chain((pools) =>
      fc.tuple(
        fc.constant(pools),
        fc.shuffledSubarray(pools, { minLength: pools.length, maxLength: pools.length }),
      ),
    )
    fc.assert(
      fc.property(shuffled, mode, amount, ([pools, others], mode, amount) => {
        const query = queryFor({ mode, amount })
        expect(findRoute(createGraph(others), query)).toEqual(findRoute(createGraph(pools), query))
      }),
    )
  })

  it('respects the limits on pools, hops and paths', () => {
    fc.assert(
      fc.property(
        deepPools,
        mode,
        amount,
        fc.integer({ min: 1, max: 4 }),
        (pools, mode, amount, max) => {
          const allowsPool = (pool: Pool) => pool.kind === 'constantProduct'
          const query = queryFor({ mode, amount, maxHops: max, maxPaths: max, allowsPool })
          const route = findRoute(createGraph(pools), query)
          const same = findRoute(createGraph(pools.filter(allowsPool)), query)
          expect(route).toEqual(same)
          expect(route?.paths.length ?? 1).toBeLessThanOrEqual(max)
          for (const path of route?.paths ?? []) expect(path.hops.length).toBeLessThanOrEqual(max)
        },
      ),
    )
  })

  it('keeps to the limit on paths if all of them are alike', () => {
    const middles = Array.from({ length: 12 }, (_, at) => at + 2)
    const graph = createGraph(
      poolsBetween(
        middles.flatMap((at) => [
          [0, at],
          [at, 1],
        ]),
      ),
    )
    for (const maxPaths of [5, 8]) {
      const route = findRoute(graph, queryFor({ amount: toAmount(1000n * unit), maxPaths }))
      expect(route?.paths.length).toBe(maxPaths)
    }
  })

  it('keeps to the gas that a transaction may use', () => {
    const lines = Array.from({ length: 40 }, (_, line) => [
      3 * line + 2,
      3 * line + 3,
      3 * line + 4,
    ])
    const hops = lines.flatMap((line) => {
      const stops = [0, ...line, 1]
      return line.concat(1).map((stop, at) => [stops[at] as number, stop] as const)
    })
    const everywhere = { tickLower: -887_220, tickUpper: 887_220, liquidity: 10n ** 24n }
    const even = { tick: 0, sqrtPriceX96: 2n ** 96n }
    const deep = poolOf({ fee: 3000, tickSpacing: 60 }, [everywhere], even)
    const pools = poolsBetween(hops).map(
      ({ address, currency0, currency1 }): Pool => ({
        ...deep,
        kind: 'slipstream',
        address,
        currency0,
        currency1,
      }),
    )
    const route = findRoute(createGraph(pools), queryFor({ amount: toAmount(10n ** 24n) }))
    const gas = route === undefined ? 0 : Number(comparedGas(route))
    expect(gas).toBeLessThanOrEqual(maxFlowGas)
    expect(gas).toBeGreaterThan(0.9 * maxFlowGas)
  })

  it('takes more than four hops if an amount moves the price', () => {
    const short = [0, 2, 1]
    const long = [0, 3, 4, 5, 6, 1]
    const hops = [short, long].flatMap((stops) =>
      stops.slice(1).map((stop, at) => [stops[at] as number, stop] as const),
    )
    const graph = createGraph(poolsBetween(hops))
    const lengths = (changes: Partial<RouteQuery>) =>
      findRoute(graph, queryFor(changes))
        ?.paths.map((path) => path.hops.length)
        .sort()
    const amount = toAmount(100_000n * unit)
    expect(lengths({})).toEqual([2])
    expect(lengths({ amount })).toEqual([2, 5])
    expect(lengths({ amount, maxHops: 4 })).toEqual([2])
    const [price, tooMuch] = [1e10, 1e17]
    expect(lengths({ amount, gasPrice: price })).toEqual([2, 5])
    expect(lengths({ amount, gasPrice: tooMuch })).toEqual([2])
    const exact = { mode: 'exactOutput', amount: toAmount(80_000n * unit) } as const
    expect(lengths(exact)).toEqual([2, 5])
  })

  it('finds no route for unknown currencies or a zero amount', () => {
    const graph = createGraph(poolsBetween([[0, 1]]))
    expect(findRoute(graph, queryFor({ input: currencyAt(5) }))).toBeUndefined()
    expect(findRoute(graph, queryFor({ output: currencyAt(5) }))).toBeUndefined()
    expect(findRoute(graph, queryFor({ output: currencyAt(0) }))).toBeUndefined()
    expect(findRoute(graph, queryFor({ amount: toAmount(0n) }))).toBeUndefined()
    expect(findRoute(createGraph([]), queryFor({}))).toBeUndefined()
    const apart = createGraph(
      poolsBetween([
        [0, 2],
        [1, 3],
      ]),
    )
    expect(findRoute(apart, queryFor({}))).toBeUndefined()
    expect(findLimit(apart, queryFor({}))).toBeUndefined()
  })
})

describe('findLimit', () => {
  it('is an amount that has a route', () => {
    fc.assert(
      fc.property(fc.oneof(wildPools, deepPools), mode, (pools, mode) => {
        const graph = createGraph(pools)
        const limit = findLimit(graph, queryFor({ mode }))
        if (limit === undefined) return
        const query = queryFor({ mode, amount: limit })
        const route = findRoute(graph, query)
        expect(route).toBeDefined()
        if (route !== undefined) expectExecutable(pools, query, route)
      }),
      { numRuns: runs(300, 150) },
    )
  })

  it('adds up several paths and is about the maximum', () => {
    const pairs = [
      [0, 1],
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const
    const graph = createGraph(poolsBetween(pairs))
    const query = queryFor({ mode: 'exactOutput' })
    const limit = findLimit(graph, query)
    // All of two pools, and the output of the third for a million of the intermediate currency.
    const maximum = 2_499_248_872_875_326_904_460_019n
    expect(limit).toBeGreaterThan(maximum - maximum / 5_000n)
    expect(limit).toBeLessThanOrEqual(maximum)
    if (limit === undefined) return
    const whole = findRoute(graph, { ...query, amount: limit })
    expect(whole?.paths.length).toBeGreaterThanOrEqual(3)
    expect(findRoute(graph, { ...query, amount: toAmount(maximum + 1n) })).toBeUndefined()
    const largePart = findRoute(graph, { ...query, amount: toAmount((maximum * 9n) / 10n) })
    expect(largePart?.paths.length).toBe(3)
    // At one common marginal rate: 9.03 million each for 0.9 of the two pools, 4.51 million for the third.
    expect(Number(largePart?.amountIn) / 1e24).toBeCloseTo(22.5745, 4)
  })
})
