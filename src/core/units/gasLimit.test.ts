import { expect, it } from 'vitest'
import { gasLimitFor } from './gasLimit.ts'

it('has a margin up to the maximum gas of a transaction', () => {
  expect([0n, 101n, 10_000_000n].map((gas) => gasLimitFor(gas, 50n))).toEqual([
    0n,
    151n,
    15_000_000n,
  ])
  expect(gasLimitFor(14_000_000n, 20n)).toBe(2n ** 24n)
  // There is no margin if the gas alone is more: the limit shows why nodes refuse it.
  expect(gasLimitFor(20_000_000n, 20n)).toBe(20_000_000n)
})
