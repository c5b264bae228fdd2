import { describe, expect, it } from 'vitest'
import { findRoute } from '#src/core/router/findRoute.ts'
import { createGraph } from '#src/core/router/graph.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
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

it.each([2, 13, 31])(
  'splits an amount beyond the pools within the gas of a transaction (market %i)',
  (seed) => {
    const many = { currencies: 9, constantProducts: 10, concentrated: 40, usd: [], queriesEach: 0 }
    const { pools, file } = generateMarket(seed, many)
    const graph = createGraph(pools)
    const [input, output] = (seed === 31 ? [2, 5] : [6, 7]).map((id) => file.tokens[id])
    if (input === undefined || output === undefined) throw new Error('The market is too small')
    const routeOf = (maxPaths: number) =>
      findRoute(graph, {
        input: toAddress(input.address),
        output: toAddress(output.address),
        mode: 'exactInput',
        amount: toAmount(BigInt(Math.ceil((5e7 / input.price) * 10 ** input.decimals))),
        gasPrice: 0,
        maxPaths,
      })
    const [split, single] = [routeOf(32), routeOf(1)].map((route) => Number(route?.amountOut))
    expect(split).toBeGreaterThan(2 * (single as number))
  },
)
