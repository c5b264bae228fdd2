import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spotPrice, swapExactInput } from '#src/core/pools/pool.ts'
import { createGraph } from '#src/core/router/graph.ts'
import { createSimulation, outputFor, rateOf } from '#src/core/router/pools/poolSimulation.ts'
import { amountOf, move, solidlyPool } from '#test/support/arbitraries/poolArbitrary.ts'
import { runs } from '#test/support/runs.ts'

const rounding = 1 + 1e-9

test('the virtual reserves never promise less than the pool gives', () => {
  let close = 0
  let compared = 0
  fc.assert(
    fc.property(solidlyPool, move, (pool, one) => {
      const amount = amountOf(pool, { ...one, mode: 'exactInput' })
      const swapped = swapExactInput(pool, one.zeroForOne, amount)
      if (swapped === undefined) return
      const edge = one.zeroForOne ? 0 : 1
      const simulation = createSimulation(createGraph([pool]), undefined)
      // Fewer units may buy one unit's worth more.
      const isDust = amount < 10n ** 6n || swapped.amountOut < 10n ** 6n
      const maxOutput =
        outputFor(simulation, edge, Number(amount) + (isDust ? 2 : 0)) + (isDust ? 2 : 0)
      expect(Number(swapped.amountOut)).toBeLessThanOrEqual(maxOutput * rounding)
      if (isDust) return
      compared += 1
      if (Number(swapped.amountOut) > maxOutput * 0.998) close += 1
    }),
    { numRuns: runs(3_000) },
  )
  expect(close / compared).toBeGreaterThan(0.8)
})

test('the first unit of the virtual reserves buys as much as the spot price less the fee', () => {
  fc.assert(
    fc.property(solidlyPool, fc.boolean(), (pool, zeroForOne) => {
      const { numerator, denominator } = spotPrice(pool, zeroForOne) ?? {}
      if (numerator === undefined || denominator === undefined) return
      const fee = 1 - pool.fee / 1e6
      const spot = (fee * Number((numerator << 200n) / denominator)) / 2 ** 200
      const simulation = createSimulation(createGraph([pool]), undefined)
      const rate = rateOf(simulation, zeroForOne ? 0 : 1)
      expect(Math.abs(rate / spot - 1)).toBeLessThan(3e-6)
    }),
    { numRuns: runs(1_000) },
  )
})
