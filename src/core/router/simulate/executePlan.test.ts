import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createGraph } from '#src/core/router/graph.ts'
import type { Path } from '#src/core/router/route.ts'
import { poolsBetween } from '#test/support/arbitraries/graphArbitrary.ts'
import { magnitude } from '#test/support/arbitraries/poolArbitrary.ts'
import { runs } from '#test/support/runs.ts'
import { executePlan } from './executePlan.ts'

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
  executePlan(parallel, 'exactInput', { paths, shares, amount: 0, gas: 0 }, amount, planned)

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
