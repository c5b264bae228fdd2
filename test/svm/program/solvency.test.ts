import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Counts, runRandomCalls } from '#test/support/svm/checkedRuns.ts'

it('after random calls it holds what it owes, and has paid those who may be paid alone', () => {
  const counts: Counts = new Map()
  fc.assert(
    fc.property(fc.integer(), (seed) => runRandomCalls(seed, 500, counts)),
    { numRuns: 6 },
  )
  for (const kind of ['deposit', 'sweep', 'settle', 'refund', 'exit', 'markFilled', 'owner'])
    expect([kind, (counts.get(kind) ?? 0) > 10]).toEqual([kind, true])
})
