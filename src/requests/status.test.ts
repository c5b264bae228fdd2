import { expect, it } from 'vitest'
import type { RequestState } from '#src/requests/state/requestState.ts'
import { answerOf, paidOutput, paidState, stateAt } from '#test/support/fixtures/requestAnswer.ts'
import { statusUpdate } from './status.ts'

const updateOf = (change: Partial<RequestState>, execution: 'solver' | 'user' = 'solver') =>
  statusUpdate(answerOf(stateAt(0), { execution }).request, { ...stateAt(2), ...change })
const detailsOf = (...args: Parameters<typeof updateOf>) => updateOf(...args).details

it('has no details if all goes well', () => {
  for (const seq of [0, 1, 2, 3, 4]) expect(detailsOf(stateAt(seq))).toBeNull()
})

it('has what the recipient got, and what the refunds paid', () => {
  expect(updateOf(paidState).paid).toEqual(paidOutput)
  expect(updateOf(stateAt(4))).not.toHaveProperty('paid')
  const { fill: refund, ...rest } = paidState
  const refunded = { ...rest, status: 'refund', refunds: refund ? [refund] : [] } as const
  expect(updateOf({ ...refunded, fill: { status: 'skipped' } }).refunds).toEqual([paidOutput])
})

it('explains the payout if the calls have reverted', () => {
  const reverted = { failReason: 'EXECUTION_REVERTED' } as const
  const success = { ...reverted, status: 'success' } as const
  expect(updateOf(success)).toMatchObject({ ...success, refundFailReason: 'N/A' })
  const missed = { inputStates: [{ status: 'missed' }] } as const
  expect([
    detailsOf({ ...reverted, status: 'submitted' }),
    detailsOf(success),
    detailsOf({ ...success, ...missed }),
    detailsOf({ ...reverted, status: 'pending', refunds: [{ status: 'waiting' }] }),
  ]).toMatchInlineSnapshot(`
    [
      "The calls of the order reverted on the destination chain. The recipient is paid without them, minus the gas of the failed fill.",
      "The calls of the order reverted on the destination chain. The recipient is paid without them, minus the gas of the failed fill.",
      "The deposit of 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990001 did not arrive in time. The calls of the order reverted on the destination chain. The recipient is paid without them, minus the gas of the failed fill.",
      "The fill reverts on the destination chain. The deposit will be refunded to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990001, minus gas.",
    ]
  `)
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
      "The deposit is too small to fill the request. The deposit will be refunded to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990001, minus gas.",
      "The deposit is too small to fill the request. The deposit was refunded to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990001, minus gas.",
      "The request is not filled. The deposit was refunded to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990001, minus gas.",
      "The deposit is too small to fill the request. The deposit cannot be refunded: the deposit is worth less than the gas of a refund.",
      "The user’s own transaction reverted. Only gas was spent. Ask for a new quote.",
    ]
  `)
})

it('tells a user whose deposit is refunded alone that the request waits on', () => {
  const refused = { status: 'waiting', refusedDeposit: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' } as const
  expect(updateOf(refused)).toMatchObject({ status: 'waiting', failReason: 'N/A' })
  expect(detailsOf({ ...refused, status: 'success' })).toBeNull()
  expect(detailsOf(refused)).toMatchInlineSnapshot(
    `"The deposit is too small to fill the request. It is refunded to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990001, minus gas. The request still waits for the full amount in one deposit."`,
  )
})
