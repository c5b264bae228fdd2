import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { swapExactInput, swapExactOutput } from '#src/pools/swap.ts'
import { createGraph } from '#src/pricing/router/graph.ts'
import { toAmount } from '#src/units/amount.ts'
import { deepPools } from '#test/support/arbitraries/graphArbitrary.ts'
import { magnitude } from '#test/support/arbitraries/poolArbitrary.ts'
import {
  createTrial,
  crossingsFor,
  inputFor,
  outputFor,
  outputForAll,
  rangesCrossed,
  rateOf,
  trialSwap,
  undoSwaps,
} from './poolSimulation.ts'
import { isZeroForOne } from './topology.ts'

/** Where both amounts are this large, rounding to units cannot be told from rounding in floating point. */
const plenty = 10n ** 12n

const swaps = fc.record({
  pools: deepPools.map((pools) => pools.slice(0, 1)),
  edge: fc.constantFrom(0, 1),
  amounts: fc.array(magnitude(40, 85), { minLength: 1, maxLength: 4 }),
})

const relativeTo = (expected: bigint) => (value: number) => Math.abs(value / Number(expected) - 1)

describe('a trial', () => {
  it('swaps as the pools do, one swap after the other', () => {
    fc.assert(
      fc.property(swaps, ({ pools, edge, amounts }) => {
        const trial = createTrial(createGraph(pools), undefined)
        let [pool] = pools
        for (const amount of amounts) {
          const swap = pool && swapExactInput(pool, isZeroForOne(edge), toAmount(amount))
          if (swap === undefined || swap.amountOut < plenty) return
          const off = relativeTo(swap.amountOut)
          expect(off(outputFor(trial, edge, Number(amount)))).toBeLessThan(1e-6)
          expect(off(outputForAll(trial, edge, Number(amount)))).toBeLessThan(1e-6)
          expect(off(trialSwap(trial, edge, Number(amount)))).toBeLessThan(1e-6)
          pool = swap.next
        }
      }),
    )
  })

  it('knows what an output takes', () => {
    fc.assert(
      fc.property(swaps, ({ pools, edge, amounts }) => {
        const trial = createTrial(createGraph(pools), undefined)
        const [pool] = pools
        const wanted = toAmount(amounts[0] as bigint)
        const swap = pool && swapExactOutput(pool, isZeroForOne(edge), wanted)
        if (swap === undefined || swap.amountIn < plenty) return
        expect(relativeTo(swap.amountIn)(inputFor(trial, edge, Number(wanted)))).toBeLessThan(1e-6)
      }),
    )
  })

  it('counts the ticks that a swap crosses, and forgets swaps that are undone', () => {
    fc.assert(
      fc.property(swaps, ({ pools, edge, amounts }) => {
        const trial = createTrial(createGraph(pools), undefined)
        const fresh = trial.depths.slice()
        const amount = amounts[0] as bigint
        const [pool] = pools
        const swap = pool && swapExactInput(pool, isZeroForOne(edge), toAmount(amount))
        if (swap === undefined) return
        const expected = crossingsFor(trial, edge, Number(amount))
        trialSwap(trial, edge, Number(amount))
        expect(rangesCrossed(trial, edge)).toBe(expected)
        // One may be just reached by one of the two alone.
        expect(Math.abs(expected - swap.ticksCrossed)).toBeLessThanOrEqual(1)
        undoSwaps(trial, edge)
        expect(trial.depths).toEqual(fresh)
      }),
    )
  })

  it('gives the rate of a first unit, which no amount betters', () => {
    fc.assert(
      fc.property(swaps, ({ pools, edge, amounts }) => {
        const trial = createTrial(createGraph(pools), undefined)
        const rate = rateOf(trial, edge)
        expect(outputFor(trial, edge, 1e-9) / 1e-9 / rate).toBeCloseTo(1, 6)
        for (const amount of amounts)
          expect(outputFor(trial, edge, Number(amount))).toBeLessThanOrEqual(
            rate * Number(amount) * (1 + 1e-9),
          )
      }),
    )
  })

  it('has an end to what can be bought', () => {
    fc.assert(
      fc.property(swaps, ({ pools, edge }) => {
        const trial = createTrial(createGraph(pools), undefined)
        expect(outputForAll(trial, edge, 1e80)).toBe(0)
        expect(inputFor(trial, edge, 1e80)).toBe(Number.POSITIVE_INFINITY)
        const most = outputFor(trial, edge, 1e80)
        expect(trialSwap(trial, edge, 1e80)).toBe(most)
        expect(rateOf(trial, edge)).toBe(0)
      }),
    )
  })
})
