import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toAmount } from '#src/core/units/amount.ts'
import { toPips } from '#src/core/units/pips.ts'
import {
  amountOf,
  concentratedPool,
  constantProductPool,
  type Move,
  move,
  pairOf,
  poolOf,
  uniswapV4Pool,
} from '#test/support/arbitraries/poolArbitrary.ts'
import { runs } from '#test/support/runs.ts'
import { type Pool, spotPrice, swapExactInput, swapExactOutput } from './pool.ts'
import { givenAmount } from './poolKind.ts'

test('no swap gives more than the spot price', () => {
  fc.assert(
    fc.property(
      fc.oneof(constantProductPool, concentratedPool, uniswapV4Pool),
      move,
      (pool, one) => {
        const price = spotPrice(pool, one.zeroForOne)
        const swapped = swapExactInput(pool, one.zeroForOne, amountOf(pool, one))
        if (swapped === undefined || price === undefined) return
        const { amountIn, amountOut } = swapped
        expect(amountOut * price.denominator).toBeLessThanOrEqual(amountIn * price.numerator)
      },
    ),
    { numRuns: runs(1_000) },
  )
})

test('a small swap without a fee gives the spot price, to a millionth', () => {
  const deep = 10n ** 30n
  const everywhere = { tickLower: -600, tickUpper: 600, liquidity: deep }
  const price = { tick: 0, sqrtPriceX96: (1n << 96n) + (1n << 90n) }
  const concentrated = poolOf({ fee: 3000, tickSpacing: 60 }, [everywhere], price)
  for (const pool of [pairOf(0, deep, 3n * deep), { ...concentrated, fee: toPips(0) }])
    for (const zeroForOne of [true, false]) {
      const amount = toAmount(10n ** 15n)
      const { numerator = 0n, denominator = 1n } = spotPrice(pool, zeroForOne) ?? {}
      const given = swapExactInput(pool, zeroForOne, amount)?.amountOut ?? 0n
      expect(given * denominator * 1_000_001n).toBeGreaterThan(amount * numerator * 1_000_000n)
    }
})

test('an empty pool has no spot price', () => {
  expect(spotPrice(pairOf(3000, 0n, 5n), true)).toBeUndefined()
  expect(spotPrice(pairOf(3000, 5n, 0n), false)).toBeUndefined()
  const price = { tick: 0, sqrtPriceX96: 1n << 96n }
  expect(spotPrice(poolOf({ fee: 3000, tickSpacing: 60 }, [], price), true)).toBeUndefined()
})

const swap = (pool: Pool, { zeroForOne, mode }: Move, amount: bigint) =>
  mode === 'exactInput'
    ? swapExactInput(pool, zeroForOne, toAmount(amount))
    : swapExactOutput(pool, zeroForOne, toAmount(amount))

describe.each([
  ['constant product', constantProductPool],
  ['concentrated', concentratedPool],
  ['Uniswap v4', uniswapV4Pool],
] as const)('any %s pool', (_, anyPool) => {
  const check = <Values extends [unknown, ...unknown[]]>(property: fc.IPropertyWithHooks<Values>) =>
    fc.assert(property, { numRuns: runs(1_500, 1_000) })

  test('output rises with input', () => {
    check(
      fc.property(anyPool, move, fc.bigInt(1n, 1_000n), (pool, one, more) => {
        const amount = amountOf(pool, one)
        const large = swap(pool, one, amount * more)
        const small = swap(pool, one, amount)
        if (large === undefined || small === undefined) return
        expect(large.amountIn >= small.amountIn && large.amountOut >= small.amountOut).toBe(true)
        expect(large.ticksCrossed).toBeGreaterThanOrEqual(small.ticksCrossed)
      }),
    )
  })

  test('the input of an exact output gives that output', () => {
    check(
      fc.property(anyPool, move, (pool, one) => {
        const exact = swap(pool, { ...one, mode: 'exactOutput' }, amountOf(pool, one))
        if (exact === undefined) return
        const again = swapExactInput(pool, one.zeroForOne, exact.amountIn)
        // If the price is extreme, one unit of input pays more than a manager counts.
        if (again === undefined && pool.kind === 'uniswapV4') return
        expect(again?.amountOut).toBeGreaterThanOrEqual(exact.amountOut)
      }),
    )
  })

  test('two partial swaps give no more than one', () => {
    check(
      fc.property(anyPool, move, fc.bigInt(1n, 1_000n), (pool, one, more) => {
        const part = amountOf(pool, one)
        const first = swapExactInput(pool, one.zeroForOne, part)
        if (first === undefined) return
        const rest = toAmount(part * more)
        const second = swapExactInput(first.next, one.zeroForOne, rest)
        const whole = swapExactInput(pool, one.zeroForOne, toAmount(part + rest))
        if (second === undefined) return
        // The manager counts each part, but not the sum.
        if (whole === undefined && pool.kind === 'uniswapV4') return
        expect(whole?.amountOut).toBeGreaterThanOrEqual(first.amountOut + second.amountOut)
      }),
    )
  })

  test('a round trip never makes a profit', () => {
    check(
      fc.property(anyPool, move, (pool, one) => {
        const there = swap(pool, one, amountOf(pool, one))
        if (there === undefined) return
        const back = swapExactInput(there.next, !one.zeroForOne, there.amountOut)
        expect(back?.amountOut ?? 0n).toBeLessThanOrEqual(there.amountIn)
      }),
    )
  })

  test('swaps exactly the given amount and does not mutate the pool', () => {
    check(
      fc.property(anyPool, move, (pool, one) => {
        const before = structuredClone(pool)
        const amount = amountOf(pool, one)
        const swapped = swap(pool, one, amount)
        expect(pool).toEqual(before)
        if (swapped === undefined) return
        expect(swapped[givenAmount[one.mode]]).toBe(amount)
        expect(swapped.amountIn > 0n && swapped.amountOut > 0n).toBe(true)
      }),
    )
  })
})
