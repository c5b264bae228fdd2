import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import { createGraph, isZeroForOne } from '#src/core/router/graph.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { deepPools } from '#test/support/arbitraries/graphArbitrary.ts'
import { magnitude, pairOf, poolOf } from '#test/support/arbitraries/poolArbitrary.ts'
import {
  createSimulation,
  crossingsFor,
  inputFor,
  maxOutputFor,
  outputFor,
  outputForAll,
  rangesCrossed,
  rateOf,
  resetEdge,
  simulateSwap,
} from './poolSimulation.ts'

/** From this amount on, rounding to units is no larger than float rounding. */
const plenty = 10n ** 12n

const swaps = fc.record({
  pools: deepPools.map((pools) => pools.slice(0, 1)),
  edge: fc.constantFrom(0, 1),
  amounts: fc.array(magnitude(40, 85), { minLength: 1, maxLength: 4 }),
})

const relativeTo = (expected: bigint) => (value: number) => Math.abs(value / Number(expected) - 1)

describe('a pool simulation', () => {
  it('equals a sequence of exact swaps', () => {
    fc.assert(
      fc.property(swaps, ({ pools, edge, amounts }) => {
        const simulation = createSimulation(createGraph(pools), undefined)
        let [pool] = pools
        let bought = 0n
        for (const amount of amounts) {
          const swap = pool && swapExactInput(pool, isZeroForOne(edge), toAmount(amount))
          if (swap === undefined || swap.amountOut < plenty) return
          // The remaining output of a drained pool is less than the float rounding of the earlier output.
          if (swap.amountOut * plenty < bought * 1_000n) return
          const off = relativeTo(swap.amountOut)
          expect(off(outputFor(simulation, edge, Number(amount)))).toBeLessThan(1e-6)
          expect(off(outputForAll(simulation, edge, Number(amount)))).toBeLessThan(1e-6)
          expect(off(simulateSwap(simulation, edge, Number(amount)))).toBeLessThan(1e-6)
          pool = swap.next
          bought += swap.amountOut
        }
      }),
    )
  })

  it('finds the input for an output', () => {
    fc.assert(
      fc.property(swaps, ({ pools, edge, amounts }) => {
        const simulation = createSimulation(createGraph(pools), undefined)
        const [pool] = pools
        const wanted = toAmount(amounts[0] as bigint)
        const swap = pool && swapExactOutput(pool, isZeroForOne(edge), wanted)
        if (swap === undefined || swap.amountIn < plenty) return
        expect(relativeTo(swap.amountIn)(inputFor(simulation, edge, Number(wanted)))).toBeLessThan(
          1e-6,
        )
      }),
    )
  })

  it('counts crossed ticks and resets edges', () => {
    fc.assert(
      fc.property(swaps, ({ pools, edge, amounts }) => {
        const simulation = createSimulation(createGraph(pools), undefined)
        const fresh = simulation.reserves.slice()
        const amount = amounts[0] as bigint
        const [pool] = pools
        const swap = pool && swapExactInput(pool, isZeroForOne(edge), toAmount(amount))
        if (swap === undefined) return
        const expected = crossingsFor(simulation, edge, Number(amount))
        simulateSwap(simulation, edge, Number(amount))
        expect(rangesCrossed(simulation, edge)).toBe(expected)
        // A swap that ends at a tick may cross it in only one of the two calculations.
        expect(Math.abs(expected - swap.ticksCrossed)).toBeLessThanOrEqual(1)
        resetEdge(simulation, edge)
        expect(simulation.reserves).toEqual(fresh)
      }),
    )
  })

  it('has a marginal rate that no amount exceeds', () => {
    fc.assert(
      fc.property(swaps, ({ pools, edge, amounts }) => {
        const simulation = createSimulation(createGraph(pools), undefined)
        const rate = rateOf(simulation, edge)
        expect(outputFor(simulation, edge, 1e-9) / 1e-9 / rate).toBeCloseTo(1, 6)
        for (const amount of amounts)
          expect(outputFor(simulation, edge, Number(amount))).toBeLessThanOrEqual(
            rate * Number(amount) * (1 + 1e-9),
          )
      }),
    )
  })

  it('has a bound on outputs that is no higher than by the marginal rate', () => {
    fc.assert(
      fc.property(swaps, ({ pools, edge, amounts }) => {
        const simulation = createSimulation(createGraph(pools), undefined)
        for (const each of amounts) {
          const amount = Number(each)
          const bound = maxOutputFor(simulation, edge, amount)
          const byRate = rateOf(simulation, edge) * amount
          expect(outputFor(simulation, edge, amount)).toBeLessThanOrEqual(bound * (1 + 1e-9))
          expect(bound).toBeLessThanOrEqual(byRate * (1 + 1e-9))
          simulateSwap(simulation, edge, amount)
        }
      }),
    )
    const ranges = [60, 120, 180].map((tick) => ({
      tickLower: -tick,
      tickUpper: tick,
      liquidity: 10n ** 24n,
    }))
    const pool = poolOf({ fee: 3000, tickSpacing: 60 }, ranges, {
      tick: 0,
      sqrtPriceX96: 2n ** 96n,
    })
    const simulation = createSimulation(createGraph([pool]), undefined)
    // Beyond the first range, in the second one.
    const amount = 1.2e22
    const [output, bound] = [outputFor, maxOutputFor].map((each) => each(simulation, 0, amount))
    expect(bound).toBeGreaterThan(output as number)
    expect(bound).toBeLessThan(rateOf(simulation, 0) * amount)
  })

  it('can be exhausted', () => {
    fc.assert(
      fc.property(swaps, ({ pools, edge }) => {
        const simulation = createSimulation(createGraph(pools), undefined)
        expect(outputForAll(simulation, edge, 1e80)).toBe(0)
        expect(inputFor(simulation, edge, 1e80)).toBe(Number.POSITIVE_INFINITY)
        const max = outputFor(simulation, edge, 1e80)
        expect(simulateSwap(simulation, edge, 1e80)).toBe(max)
        expect(rateOf(simulation, edge)).toBe(0)
      }),
    )
  })

  it('ends with NaN if the amount is not a number', () => {
    fc.assert(
      fc.property(swaps, ({ pools, edge }) => {
        const simulation = createSimulation(createGraph(pools), undefined)
        expect(outputFor(simulation, edge, Number.NaN)).toBeNaN()
        expect(simulateSwap(simulation, edge, Number.NaN)).toBeNaN()
      }),
    )
  })

  it('has no rate if rounding leaves nothing of any swap', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 3n), fc.bigInt(0n, 3n), (reserve0, reserve1) => {
        const pool = pairOf(3_000, reserve0, reserve1)
        const simulation = createSimulation(createGraph([pool]), undefined)
        for (const edge of [0, 1]) {
          const swap = swapExactInput(pool, isZeroForOne(edge), toAmount(2n ** 100n))
          expect(rateOf(simulation, edge) > 0).toBe(swap !== undefined)
        }
      }),
    )
  })
})
