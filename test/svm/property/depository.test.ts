import fc from 'fast-check'
import { expect, it } from 'vitest'
import { action } from './plans.ts'
import { runActions, Tally } from './runActions.ts'

it('does what its interface says, and nothing else, whatever it is sent', () => {
  const tally = new Tally()
  const actions = fc.array(action, { minLength: 400, maxLength: 400 })
  fc.assert(
    fc.property(actions, (each) => runActions(each, tally)),
    // Shrinking runs a chain of hundreds of transactions for each attempt.
    { numRuns: 3, endOnFailure: true },
  )
  expect(tally.instructions).toBeGreaterThan(900)
})
