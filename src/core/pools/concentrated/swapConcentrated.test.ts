import fc from 'fast-check'
import { expect, test } from 'vitest'
import { swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import type { SwapMode } from '#src/core/pools/poolKind.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { toPips } from '#src/core/units/pips.ts'
import {
  amountOf,
  concentratedPool,
  move,
  poolOf,
} from '#test/support/arbitraries/poolArbitrary.ts'
import { runs } from '#test/support/runs.ts'
import type { ConcentratedPool } from './concentratedPool.ts'
import {
  getSqrtRatioAtTick,
  getTickAtSqrtRatio,
  highestSqrtPrice,
  liquidityAt,
  lowestSqrtPrice,
  maxTick,
  minSqrtRatio,
  minTick,
  ticksOf,
  toTickMap,
} from './tickMap.ts'

const atOne = { tick: 0, sqrtPriceX96: 1n << 96n }
const single = poolOf(
  { fee: 3000, tickSpacing: 60 },
  [{ tickLower: -600, tickUpper: 600, liquidity: 10n ** 18n }],
  atOne,
)

/** The largest amount that the pool can swap. */
function max(pool: ConcentratedPool, zeroForOne: boolean, mode: SwapMode): Amount {
  let low = 0n
  let high = 1n << 255n
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (swapOf(mode)(pool, zeroForOne, toAmount(middle)) === undefined) high = middle
    else low = middle
  }
  return toAmount(low)
}

const swapOf = (mode: SwapMode) => (mode === 'exactInput' ? swapExactInput : swapExactOutput)

test('price, tick and liquidity after a swap are consistent', () => {
  fc.assert(
    fc.property(concentratedPool, move, (pool, one) => {
      const swapped = swapExactInput(pool, one.zeroForOne, amountOf(pool, one))
      if (swapped?.next.kind !== 'concentrated') return
      const { sqrtPriceX96, tick, liquidity, ticks } = swapped.next
      const ofPrice = getTickAtSqrtRatio(sqrtPriceX96)
      const isFallenToTick = tick === ofPrice - 1 && sqrtPriceX96 === getSqrtRatioAtTick(ofPrice)
      expect(tick === ofPrice || isFallenToTick).toBe(true)
      expect(liquidity).toBe(liquidityAt(ticks, tick))
      expect(
        one.zeroForOne ? sqrtPriceX96 <= pool.sqrtPriceX96 : sqrtPriceX96 >= pool.sqrtPriceX96,
      ).toBe(true)
    }),
    { numRuns: runs(1_000) },
  )
})

test('earlier swaps on the same tick map do not change a result', () => {
  const manyMoves = fc.array(move, { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(concentratedPool, manyMoves, (start, moves) => {
      let pool = start
      for (const one of moves) {
        const swap = swapOf(one.mode)
        const amount = amountOf(pool, one)
        for (const fee of [pool.fee, toPips(777)]) {
          const ticks = toTickMap(ticksOf(pool.ticks), pool.tickSpacing)
          const swapped = swap({ ...pool, fee }, one.zeroForOne, amount)
          expect(swapped).toEqual(swap({ ...pool, fee, ticks }, one.zeroForOne, amount))
        }
        const next = swap(pool, one.zeroForOne, amount)?.next
        if (next?.kind === 'concentrated') pool = next
      }
    }),
    { numRuns: runs(300) },
  )
})

test('a swap that uses up the last position ends at its tick, and the reverse swap starts there', () => {
  const down = swapExactInput(single, true, max(single, true, 'exactInput'))
  expect(down?.ticksCrossed).toBe(1)
  expect(down?.next).toEqual({
    ...single,
    sqrtPriceX96: getSqrtRatioAtTick(-600),
    tick: -601,
    liquidity: 0n,
  })
  const up = swapExactInput(single, false, max(single, false, 'exactInput'))
  expect(up?.ticksCrossed).toBe(1)
  expect(up?.next).toEqual({
    ...single,
    sqrtPriceX96: getSqrtRatioAtTick(600),
    tick: 600,
    liquidity: 0n,
  })
  for (const [ended, zeroForOne] of [
    [down, false],
    [up, true],
  ] as const) {
    const back = swapExactInput(ended?.next ?? single, zeroForOne, toAmount(1_000_000n))
    expect(back).toMatchObject({ ticksCrossed: 1, next: { liquidity: single.liquidity } })
    expect(swapExactInput(ended?.next ?? single, !zeroForOne, toAmount(1_000_000n))).toBeUndefined()
  }
})

test('a full-range position ends at the price limit, one unit before the last tick', () => {
  const everywhere = { tickLower: minTick, tickUpper: maxTick, liquidity: 1n << 100n }
  const pool = poolOf({ fee: 100, tickSpacing: 1 }, [everywhere], atOne)
  for (const mode of ['exactInput', 'exactOutput'] as const) {
    const swap = swapOf(mode)
    const down = swap(pool, true, max(pool, true, mode))
    const up = swap(pool, false, max(pool, false, mode))
    expect(down?.ticksCrossed).toBe(0)
    expect(down?.next).toEqual({ ...pool, sqrtPriceX96: lowestSqrtPrice, tick: minTick })
    expect(up?.ticksCrossed).toBe(0)
    expect(up?.next).toEqual({ ...pool, sqrtPriceX96: highestSqrtPrice, tick: maxTick - 1 })
    expect(swap(down?.next ?? pool, true, toAmount(1n))).toBeUndefined()
    expect(swap(up?.next ?? pool, false, toAmount(1n))).toBeUndefined()
  }
})

test('a pool at its price limit swaps only in the other direction', () => {
  const everywhere = { tickLower: minTick, tickUpper: maxTick, liquidity: 1n << 100n }
  const tier = { fee: 100, tickSpacing: 1 }
  const lowest = poolOf(tier, [everywhere], { tick: minTick, sqrtPriceX96: minSqrtRatio })
  for (let amount = 0n; amount < 32n; amount++)
    expect(swapExactInput(lowest, true, toAmount(amount))).toBeUndefined()
  expect(swapExactInput(lowest, false, toAmount(1_000n))).toBeDefined()
  const highest = { tick: maxTick - 1, sqrtPriceX96: highestSqrtPrice }
  expect(swapExactInput(poolOf(tier, [everywhere], highest), false, toAmount(1n))).toBeUndefined()
})

test('rejects amounts that the pool cannot swap', () => {
  const refuses = (pool: ConcentratedPool, amount: bigint) =>
    [true, false].every((zeroForOne) =>
      [swapExactInput, swapExactOutput].every(
        (swap) => swap(pool, zeroForOne, toAmount(amount)) === undefined,
      ),
    )
  const empty = { ...single, liquidity: 0n, ticks: toTickMap([], 60) }
  expect(refuses({ ...empty, sqrtPriceX96: 0n }, 1_000n)).toBe(true)
  expect(refuses(empty, 1_000n)).toBe(true)
  expect(refuses(single, 0n)).toBe(true)
  expect(refuses(single, 10n ** 18n)).toBe(true)
  expect(refuses(single, 1n << 255n)).toBe(true)
  expect(refuses(single, (1n << 256n) - 1n)).toBe(true)
  expect(swapExactInput(single, true, toAmount(1n))).toBeUndefined()
  expect(swapExactOutput(single, true, toAmount(1n))?.amountIn).toBe(3n)
})
