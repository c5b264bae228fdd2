import { expect, it } from 'vitest'
import type { RequestState } from '#src/requests/requestState.ts'
import { toChainId } from '#src/units/chainId.ts'
import { answerOf, stateAt } from '#test/requestAnswer.ts'
import { statusUpdate } from './statusUpdate.ts'

const detailsOf = (change: Partial<RequestState>, execution: 'solver' | 'user' = 'solver') =>
  statusUpdate(answerOf(stateAt(0), { execution }).request, { ...stateAt(2), ...change }).details

it('has nothing to say where all goes well', () => {
  for (const seq of [0, 1, 2, 3, 4]) expect(detailsOf(stateAt(seq))).toBeNull()
})

it('says why a request is not filled, and where the money is', () => {
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

it('says where each of several deposits is', () => {
  const { request } = answerOf(stateAt(0))
  if (request.execution !== 'solver') throw new Error('The fixture is filled by the solver')
  const [first] = request.inputs
  if (first === undefined) throw new Error('The fixture has an input')
  const second = { ...first, chainId: toChainId(990003), refundTo: request.recipient }
  const gathering = { until: 1_800_000_000, partial: false }
  const several = { ...request, inputs: [first, second, second], gathering }
  const details = (change: Partial<RequestState>) =>
    statusUpdate(several, {
      ...stateAt(2),
      fundings: [
        { status: 'funded', depositId: 'one' },
        { status: 'funded', depositId: 'two' },
        { status: 'missed' },
      ],
      ...change,
    }).details
  const skipped = { status: 'skipped' } as const
  const waiting = { status: 'waiting' } as const
  expect([
    details({
      failReason: 'ORDER_EXPIRED',
      status: 'pending',
      refunds: [waiting, waiting, skipped],
    }),
    details({
      ...{ failReason: 'SLIPPAGE', status: 'refund', refunds: [waiting, skipped, skipped] },
      refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND',
    }),
  ]).toMatchInlineSnapshot(`
    [
      "Not every deposit came by the deadline. Each deposit is to be paid back, less the gas of that: to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990001, to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990003.",
      "The price moved further than the slippage tolerance allows. The deposit was paid back to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990001, less the gas of that. What is left cannot be: it is worth less than the gas of a refund.",
    ]
  `)
})
