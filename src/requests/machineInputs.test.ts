import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import { hashOf, observedTransaction } from '#test/support/fixtures/observedTransactions.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { runs } from '#test/support/runs.ts'
import { advance, mayFollow } from './machine.ts'
import { leastAdvancedRefund } from './progress.ts'
import type { RequestEvent } from './state/requestEvent.ts'
import {
  fundingDepositIds,
  initialState,
  isTerminal,
  type RequestState,
} from './state/requestState.ts'
import { statusUpdate } from './status.ts'

const drawn = quotedRequest(hashOf(1))
const [approve, deposit] = drawn.steps
if (drawn.execution !== 'solver' || approve === undefined || deposit === undefined)
  throw new Error('Not a request for the solver')
const [one] = drawn.inputs
if (one === undefined) throw new Error('No input')
const request: QuotedRequest = {
  ...drawn,
  inputs: [one, { ...one, chainId: drawn.destinationChainId }, one],
  funding: { depositDeadline: 1, partial: true },
  steps: [approve, deposit, deposit, approve, deposit],
}
const quoted = initialState(request)
const next = (state: RequestState, event: RequestEvent) =>
  advance({ ...request, state, version: 1 }, event, 7)
const stateAfter = (events: readonly RequestEvent[], from = quoted) => events.reduce(next, from)

const depositOf = (input: number, name: number) => ({
  input,
  depositId: hashOf(name),
  transaction: observedTransaction(name, name),
})

const place = { input: fc.nat(2), name: fc.nat(4) }
const event = fc.oneof(
  fc
    .record({
      ...place,
      type: fc.constantFrom('depositSeen', 'depositCredited', 'depositCredited', 'depositUndone'),
    })
    .map(({ type, input, name }) => ({ type, ...depositOf(input, name) })),
  fc.record({ type: fc.constant('inputMissed'), input: place.input }),
  fc
    .record({
      ...place,
      type: fc.constantFrom('refundSent', 'refundMined', 'refundUndone', 'refundConfirmed'),
    })
    .map(({ type, input, name }) => ({
      type,
      input,
      transaction: observedTransaction(10 + name, name),
    })),
  fc.record({
    type: fc.constant('refundFailed'),
    input: place.input,
    reason: fc.constant('EXECUTION_REVERTED'),
  }),
  fc
    .constantFrom('fillSent', 'fillMined', 'fillUndone', 'fillConfirmed')
    .map((type) => ({ type, transaction: observedTransaction(20, 20) })),
  fc.constant({ type: 'refundDue', reason: 'ORDER_EXPIRED' }),
) as fc.Arbitrary<RequestEvent>

/** The refund of the only deposit fails. */
const refundFails: RequestEvent[] = [
  { type: 'depositCredited', ...depositOf(0, 0) },
  { type: 'inputMissed', input: 1 },
  { type: 'inputMissed', input: 2 },
  { type: 'refundDue', reason: 'ORDER_EXPIRED' },
  { type: 'refundFailed', input: 0, reason: 'EXECUTION_REVERTED' },
]

describe('a multi-input request', () => {
  it('is pending once no input is open and one is funded, for any events', () => {
    const met = { depositing: 0, pending: 0, refund: 0, failure: 0, success: 0 }
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        let state = quoted
        for (const each of events) {
          const following = next(state, each)
          expect(mayFollow(state.status, following.status)).toBe(true)
          if (isTerminal(state.status)) expect(following).toBe(state)
          expect(next(following, each)).toBe(following)
          state = following
        }
        const { status, inputStates, refunds } = state
        const isDecided = inputStates.every((each) => each.status !== 'open')
        const counted = fundingDepositIds({ state })
        if (status === 'pending') expect(isDecided && counted.length > 0).toBe(true)
        if (status === 'depositing') expect(isDecided && counted.length > 0).toBe(false)
        if (status === 'waiting') expect([counted, state.inTxHashes]).toEqual([[], []])
        const isPaid = refunds?.some((each) => each.status === 'confirmed')
        if (status === 'refund') expect(isPaid).toBe(true)
        if (status === 'failure')
          expect([isPaid, typeof state.refundFailReason]).toEqual([false, 'string'])
        if (status in met) met[status as keyof typeof met] += 1
      }),
      { numRuns: runs(12_000, 4_000), examples: [[refundFails]] },
    )
    expect(Object.values(met).every((times) => times > 0)).toBe(true)
  })

  const credit = (input: number, name: number): RequestEvent => ({
    type: 'depositCredited',
    ...depositOf(input, name),
  })
  const missed = (input: number): RequestEvent => ({ type: 'inputMissed', input })
  const refunded = (input: number, name: number): RequestEvent => ({
    type: 'refundConfirmed',
    input,
    transaction: observedTransaction(name, name),
  })
  const due: RequestEvent = { type: 'refundDue', reason: 'ORDER_EXPIRED' }
  const paidFor = [credit(0, 1), missed(1), credit(2, 3)]

  it('confirms only the steps of the deposit’s own input', () => {
    const { steps } = stateAfter([credit(1, 2)])
    expect(steps.map(([item]) => item?.status)).toEqual([
      ...['waiting', 'waiting', 'confirmed', 'waiting', 'waiting'],
    ])
    expect(stateAfter([credit(2, 3)]).steps.map(([item]) => item?.status)).toEqual([
      ...['waiting', 'waiting', 'waiting', 'implied', 'confirmed'],
    ])
  })

  it('ends once every funded input is refunded or cannot be', () => {
    const dueNow = stateAfter([...paidFor, due])
    expect(dueNow.refunds?.map(({ status }) => status)).toEqual(['waiting', 'skipped', 'waiting'])
    const half = stateAfter([refunded(0, 11)], dueNow)
    expect(half).toMatchObject({ status: 'pending', txHashes: [hashOf(11)] })
    expect(leastAdvancedRefund(half)?.status).toBe('waiting')
    expect(stateAfter([refunded(2, 13)], half)).toMatchObject({
      status: 'refund',
      txHashes: [hashOf(11), hashOf(13)],
    })
    const failed: RequestEvent = { type: 'refundFailed', input: 2, reason: 'EXECUTION_REVERTED' }
    expect(stateAfter([failed], half)).toMatchObject({
      status: 'refund',
      refundFailReason: 'EXECUTION_REVERTED',
    })
    expect(stateAfter([failed, { ...failed, input: 0 }], dueNow).status).toBe('failure')
  })

  it('does not await an orphaned deposit while another is refunded', () => {
    const undone: RequestEvent = { type: 'depositUndone', ...depositOf(0, 1) }
    const dueNow = stateAfter([...paidFor, due])
    const left = stateAfter([undone], dueNow)
    expect(left).toMatchObject({ status: 'pending', failReason: 'ORDER_EXPIRED' })
    expect(left.inputStates[0]?.status).toBe('missed')
    expect(stateAfter([refunded(2, 13)], left).status).toBe('refund')
    // After the last funding deposit is orphaned, the request is as before.
    const last = stateAfter([{ type: 'depositUndone', ...depositOf(2, 3) }], left)
    expect(last).toMatchObject({ status: 'waiting' })
    expect(last).not.toHaveProperty('failReason')
  })

  it('explains which deposits are missing and where refunds go', () => {
    const detailsOf = (events: readonly RequestEvent[]) =>
      statusUpdate(request, stateAfter(events)).details
    const fill = { transaction: observedTransaction(20, 20) }
    const failed: RequestEvent = { type: 'refundFailed', input: 2, reason: 'EXECUTION_REVERTED' }
    expect([
      detailsOf([credit(0, 1)]),
      detailsOf([...paidFor, { type: 'fillConfirmed', ...fill }]),
      detailsOf([credit(0, 1), credit(1, 2), missed(2), due]),
      detailsOf([...paidFor, due, refunded(0, 11), failed]),
    ]).toMatchInlineSnapshot(`
      [
        null,
        "The deposit of 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990002 did not arrive in time.",
        "A deposit did not arrive before its deadline, or the fill deadline passed. The deposits will be refunded to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990001 and 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990002, minus gas.",
        "A deposit did not arrive before its deadline, or the fill deadline passed. The deposits were refunded to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 990001, minus gas. One cannot be refunded: the refund reverts on the origin chain.",
      ]
    `)
  })
})
