import fc from 'fast-check'
import { expect, test } from 'vitest'
import { swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toPips } from '#src/core/units/pips.ts'
import {
  amountOf,
  constantProductPool,
  move,
  pairOf,
} from '#test/support/arbitraries/poolArbitrary.ts'
import { applyConstantProductEvent } from './constantProduct.ts'

test('the product of the reserves never falls', () => {
  fc.assert(
    fc.property(constantProductPool, move, (pool, one) => {
      const swapped = swapExactInput(pool, one.zeroForOne, amountOf(pool, one))
      if (swapped?.next.kind !== 'constantProduct') return
      const { reserve0, reserve1 } = swapped.next
      expect(reserve0 * reserve1).toBeGreaterThanOrEqual(pool.reserve0 * pool.reserve1)
    }),
  )
})

test('exact output asks for at most one unit too much', () => {
  fc.assert(
    fc.property(constantProductPool, move, (pool, one) => {
      const exact = swapExactOutput(pool, one.zeroForOne, amountOf(pool, one))
      if (exact === undefined || exact.amountIn < 2n) return
      const less = swapExactInput(pool, one.zeroForOne, toAmount(exact.amountIn - 2n))
      expect(less?.amountOut ?? 0n).toBeLessThan(exact.amountOut)
    }),
  )
})

test('a fee of 3000 pips is 997 ÷ 1000, as in the original contract', () => {
  fc.assert(
    fc.property(constantProductPool, move, (anyPair, one) => {
      const pool = { ...anyPair, fee: toPips(3000) }
      const amountIn = amountOf(pool, { ...one, zeroForOne: true, mode: 'exactInput' })
      const swapped = swapExactInput(pool, true, amountIn)
      if (swapped === undefined) return
      const afterFee = amountIn * 997n
      expect(swapped.amountOut).toBe(
        (afterFee * pool.reserve1) / (pool.reserve0 * 1_000n + afterFee),
      )
    }),
  )
})

test('moves the reserves by input and output', () => {
  const pair = pairOf(3000, 1_000_000n, 2_000_000n)
  expect(swapExactInput(pair, true, toAmount(1_000n))).toEqual({
    amountIn: 1_000n,
    amountOut: 1_992n,
    ticksCrossed: 0,
    next: { ...pair, reserve0: 1_001_000n, reserve1: 1_998_008n },
  })
  expect(swapExactOutput(pair, false, toAmount(1_000n))?.next).toEqual({
    ...pair,
    reserve0: 999_000n,
    reserve1: 2_002_009n,
  })
})

test('rejects what the pair rejects', () => {
  const pair = pairOf(3000, 1_000n, 1_000n)
  const max = 2n ** 112n - 1n
  expect(swapExactInput(pairOf(3000, 0n, 1_000n), true, toAmount(1n))).toBeUndefined()
  expect(swapExactInput(pairOf(3000, 1_000n, 0n), true, toAmount(1n))).toBeUndefined()
  expect(swapExactInput(pair, true, toAmount(0n))).toBeUndefined()
  expect(swapExactInput(pair, true, toAmount(1n))).toBeUndefined()
  expect(swapExactInput(pair, true, toAmount(max - 1_000n))?.amountOut).toBe(999n)
  expect(swapExactInput(pair, true, toAmount(max - 999n))).toBeUndefined()
  expect(swapExactOutput(pair, true, toAmount(999n))?.amountIn).toBe(1_002_007n)
  expect(swapExactOutput(pair, true, toAmount(1_000n))).toBeUndefined()
  expect(swapExactOutput(pair, true, toAmount(0n))).toBeUndefined()
})

test('a pair has the reserves of its last Sync', () => {
  const args = { reserve0: 7n, reserve1: 8n }
  expect(applyConstantProductEvent(pairOf(3000, 1n, 2n), { eventName: 'Sync', args })).toEqual(
    pairOf(3000, 7n, 8n),
  )
})
