import fc from 'fast-check'
import { expect, it } from 'vitest'
import { times } from '#test/support/runs.ts'
import { type Counts, runRandomCalls } from '#test/support/svm/checkedRuns.ts'

// 100,000 calls in all in `npm run test:long`.
const parts = Array.from({ length: times(10, 3) }, (_, part) => part)

it.each(parts)('holds what it owes after 10,000 random calls (part %i)', (part) => {
  const counts: Counts = new Map()
  // A run that names a seed would draw the same calls in every part.
  const offset = Math.imul(part, 0x9e3779b1)
  fc.assert(
    fc.property(fc.integer(), (seed) => runRandomCalls(seed ^ offset, 1_000, counts)),
    { numRuns: 10 },
  )
  for (const kind of ['deposit', 'sweep', 'settle', 'refund', 'exit', 'markFilled', 'owner'])
    expect([kind, (counts.get(kind) ?? 0) > 50]).toEqual([kind, true])
})
