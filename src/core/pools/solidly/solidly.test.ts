import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { spotPrice, swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import { createGraph } from '#src/core/router/graph.ts'
import { createSimulation, outputFor, rateOf } from '#src/core/router/pools/poolSimulation.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toPips } from '#src/core/units/pips.ts'
import { amountOf, move, solidlyPool } from '#test/support/arbitraries/poolArbitrary.ts'
import { runs } from '#test/support/runs.ts'
import { stableDepth } from './solidly.ts'
import type { SolidlyPool } from './swapSolidly.ts'

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

const [unit0, unit1] = [10n ** 18n, 10n ** 6n]

const poolOf = (reserve0: bigint, reserve1: bigint) =>
  ({
    kind: 'solidly',
    source: 'aerodrome',
    chainId: 1,
    stable: true,
    isPaused: false,
    address: '0x03',
    currency0: '0x01',
    currency1: '0x02',
    fee: toPips(0),
    unit0,
    unit1,
    reserve0,
    reserve1,
  }) as unknown as SolidlyPool

/** The price of currency0 in currency1 by the derivatives of x³y + xy³. */
function priceOf({ reserve0, reserve1 }: Pick<SolidlyPool, 'reserve0' | 'reserve1'>): number {
  const [x, y] = [Number(reserve0) / Number(unit0), Number(reserve1) / Number(unit1)]
  return (3 * x * x * y + y ** 3) / (x ** 3 + 3 * x * y * y)
}

/** By what factor a currency costs more once the pool has paid out this amount of it. */
function riseAfter(pool: SolidlyPool, zeroForOne: boolean, amountOut: bigint): number {
  const swap = swapExactOutput(pool, zeroForOne, toAmount(amountOut))
  if (swap === undefined) throw new Error('The pool does not pay its depth out')
  const ratio = priceOf(swap.next as SolidlyPool) / priceOf(pool)
  return zeroForOne ? 1 / ratio : ratio
}

it('the depth of a stable pool is the amount of each currency that it pays out until its price has doubled', () => {
  const wholeUnits = fc.bigInt({ min: 10n ** 4n, max: 10n ** 9n })
  fc.assert(
    fc.property(wholeUnits, fc.double({ min: 0.05, max: 20, noNaN: true }), (whole, ratio) => {
      const pool = poolOf(whole * unit0, BigInt(Math.round(Number(whole * unit1) * ratio)))
      const { amount0, amount1 } = stableDepth(pool)
      for (const [zeroForOne, depth] of [
        [false, amount0],
        [true, amount1],
      ] as const) {
        const rise = riseAfter(pool, zeroForOne, depth)
        expect(rise).toBeLessThanOrEqual(2.000001)
        expect(rise).toBeGreaterThan(1.999)
      }
    }),
  )
})

it('the depth of a pool without liquidity is zero', () => {
  expect(stableDepth(poolOf(0n, 5n))).toEqual({ amount0: 0n, amount1: 0n })
  expect(stableDepth(poolOf(5n, 0n))).toEqual({ amount0: 0n, amount1: 0n })
})
