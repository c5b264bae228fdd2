import { expect, it } from 'vitest'
import { parseRetryAfter } from './retryAfter.ts'

const now = Date.UTC(2026, 0, 31, 23, 59, 50)

it.each([
  ['0', 0],
  ['7', 7_000],
  [' 7 ', 7_000],
  ['3600', 60_000],
  ['Sun, 01 Feb 2026 00:00:00 GMT', 10_000],
  ['Sat, 31 Jan 2026 23:59:40 GMT', 0],
  ['Mon, 02 Feb 2026 00:00:00 GMT', 60_000],
  ['Sun, 99 Feb 2026 00:00:00 GMT', undefined],
  ['soon', undefined],
  ['-1', undefined],
  ['1e9', undefined],
  ['2026-02-01', undefined],
  ['', undefined],
  [undefined, undefined],
])('reads %s', (header, ms) => {
  expect(parseRetryAfter(header, now)).toBe(ms)
})

it('takes the first of several', () => {
  expect(parseRetryAfter(['2', '5'], now)).toBe(2_000)
})
