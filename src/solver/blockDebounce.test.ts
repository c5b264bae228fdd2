import { expect, test } from 'vitest'
import { createBlockDebounce } from './blockDebounce.ts'

test('a report lasts once enough blocks have passed since the first, and starts again once it is forgotten', () => {
  const debounce = createBlockDebounce()
  expect([4n, 5n, 6n, 7n].map((block) => debounce.hasLasted('a', block, 2n))).toEqual([
    ...[false, false, true, true],
  ])
  debounce.forget('a')
  expect(debounce.hasLasted('a', 8n, 2n)).toBe(false)
})

test('reports that were not repeated for long make room for others', () => {
  const debounce = createBlockDebounce()
  for (let key = 0; key < 10_000; key += 1) debounce.hasLasted(`old ${key}`, 1n, 1n)
  debounce.hasLasted('new', 2n, 1n)
  expect(debounce.hasLasted('new', 3n, 1n)).toBe(false)
  debounce.hasLasted('new', 2_000n, 1n)
  expect(debounce.hasLasted('new', 2_001n, 1n)).toBe(true)
})
