import { expect, it } from 'vitest'
import { createRangeLimit, type RangeLimit } from './rangeLimit.ts'

/** Searches `blocks` blocks of a node with a limit. Returns the requests that it refused and answered. */
function search(limit: RangeLimit, blocks: number, maxSize: bigint) {
  const count = { refused: 0, answered: 0 }
  for (let left = blocks; left > 0; ) {
    const size = BigInt(Math.min(Number(limit.span()), left))
    if (size > maxSize) {
      count.refused += 1
      limit.refuse(size)
    } else {
      count.answered += 1
      limit.accept(size)
      left -= Number(size)
    }
  }
  return count
}

it('learns a limit once: few requests of a long search are refused', () => {
  const { refused, answered } = search(createRangeLimit(), 4_000_000, 2_000n)
  expect(answered).toBeLessThan(2_010)
  expect(refused).toBeLessThan(15)
})

it('keeps the learnt limit over a restart', () => {
  const first = createRangeLimit()
  search(first, 50_000, 2_000n)
  const next = createRangeLimit(first.learnt())
  expect(next.span()).toBe(2_000n)
  expect(search(next, 20_000, 2_000n).refused).toBe(0)
})

it('grows again after blocks with more logs', () => {
  const limit = createRangeLimit()
  search(limit, 20_000, 100n)
  search(limit, 500_000, 10_000n)
  expect(limit.learnt()).toBeGreaterThan(4_000n)
})

it('forgets consecutive refusals if even a single block is refused', () => {
  const limit = createRangeLimit(2_000n)
  let isLimit = true
  while (isLimit) isLimit = limit.refuse(limit.span())
  expect(limit.span()).toBe(2_000n)
})
