import { expect, it } from 'vitest'
import type { RequestState } from '#src/requests/state/requestState.ts'
import { answerOf, stateAt } from '#test/support/fixtures/requestAnswer.ts'
import { statusUpdate } from './statusUpdate.ts'

const detailsOf = (change: Partial<RequestState>, execution: 'solver' | 'user' = 'solver') =>
  statusUpdate(answerOf(stateAt(0), { execution }).request, { ...stateAt(2), ...change }).details

it('has no details if all goes well', () => {
  for (const seq of [0, 1, 2, 3, 4]) expect(detailsOf(stateAt(seq))).toBeNull()
})

it('explains why a request is not filled, and where the money is', () => {
  const reason = { failReason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' } as const
  expect([
    detailsOf({ ...reason, status: 'pending' }),
    detailsOf({ ...reason, status: 'refund' }),
    detailsOf({ failReason: 'UNKNOWN', status: 'refund' }),
    detailsOf({ ...reason, status: 'failure', refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND' }),
    detailsOf({ failReason: 'TRANSACTION_REVERTED', status: 'failure' }, 'user'),
  ]).toMatchInlineSnapshot(`
    [
      "Less was deposited than can be filled. The deposit is to be paid back to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990001, less the gas of that.",
      "Less was deposited than can be filled. The deposit was paid back to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990001, less the gas of that.",
      "It is not filled. The deposit was paid back to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990001, less the gas of that.",
      "Less was deposited than can be filled. The deposit cannot be paid back: it is worth less than the gas of a refund.",
      "The user’s own transaction reverted. Nothing moved but gas: ask for a new quote.",
    ]
  `)
})
