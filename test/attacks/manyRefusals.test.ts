import { expect, it } from 'vitest'
import { createBlockDebounce } from '#src/solver/blockDebounce.ts'

/** Just more than the solver remembers. Each is a request with a deposit that cannot be filled. */
const requests = Array.from({ length: 10_001 }, (_, at) => `request ${at}`)

it('refunds go on if the solver rejects more requests than it remembers', () => {
  const debounce = createBlockDebounce()
  const waiting = new Set(requests)
  for (let block = 1n; block <= 10n; block += 1n)
    for (const request of waiting)
      if (debounce.hasLasted(request, block, 1n)) {
        waiting.delete(request)
        debounce.forget(request)
      }
  const refunded = requests.length - waiting.size
  expect(
    refunded,
    `of ${requests.length} deposits that are not filled, ${refunded} are refunded after ten blocks`,
  ).toBe(requests.length)
})
