import { expect, test } from 'vitest'
import type { Pool } from '#src/core/pools/pool.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { poolsBetween } from '#test/support/arbitraries/graphArbitrary.ts'
import { type Hop, unwrappedHops } from './route.ts'

const [pool] = poolsBetween([[0, 1]]) as [Pool]
const amount = toAmount(1n)
const hopOf = (change: Partial<Pool>, zeroForOne: boolean): Hop => ({
  pool: { ...pool, ...change } as Pool,
  zeroForOne,
  amountIn: amount,
  amountOut: amount,
  ticksCrossed: 0,
})
const sale = hopOf({ hasNative: true }, true)
const purchase = hopOf({ hasNative: true }, false)
const other = hopOf({}, true)

const native = { isNativeIn: true, isNativeOut: true }
const wrapped = { isNativeIn: false, isNativeOut: false }

test.each([
  ['a sale of the native currency', [sale], native, [true]],
  ['a sale of the wrapped currency', [sale], wrapped, [false]],
  ['a purchase of the native currency', [purchase], native, [true]],
  ['a purchase of the wrapped currency', [purchase], wrapped, [false]],
  ['native currency from pool to pool', [purchase, sale], wrapped, [true, true]],
  ['pools that are apart', [purchase, other, sale], native, [false, false, false]],
  ['only the ends', [sale, other, purchase], native, [true, false, true]],
  ['pools without it', [other, other], native, [false, false]],
])('%s', (_, hops, ends, expected) => {
  expect(unwrappedHops(hops, ends)).toEqual(expected)
})
