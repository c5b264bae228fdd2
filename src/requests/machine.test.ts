import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  depositOf,
  hashOf,
  observedTransaction,
} from '#test/support/fixtures/observedTransactions.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { runs } from '#test/support/runs.ts'
import { advance, mayFollow } from './machine.ts'
import type { RequestEvent } from './state/requestEvent.ts'
import { initialState, isTerminal, type RequestState } from './state/requestState.ts'

const depositTypes = ['depositSeen', 'depositCredited', 'depositUndone'] as const
const refundTypes = ['refundSent', 'refundMined', 'refundUndone', 'refundConfirmed'] as const
const otherTypes = [
  ...['swapSeen', 'swapUndone', 'swapConfirmed', 'swapReverted'],
  ...['fillSent', 'fillMined', 'fillUndone', 'fillConfirmed'],
] as const

// Few transactions and blocks, so that events concern the same ones.
const transaction = fc
  .tuple(fc.nat(2), fc.option(fc.nat(2), { nil: undefined }), fc.nat(1))
  .map(([name, height, branch]) => observedTransaction(name, height, branch))

const event = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constantFrom(...otherTypes), transaction }) },
  transaction.map((each) => ({ type: 'fillSent', transaction: each, skipsCalls: true })),
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...depositTypes), transaction)
      .map(([type, each]) => ({ type, ...depositOf(each) })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom(...refundTypes),
      input: fc.constant(0),
      transaction,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom('approvalSeen', 'approvalConfirmed'),
      step: fc.nat(2),
      item: fc.nat(1),
      transaction,
    }),
  },
  fc.constantFrom<RequestEvent>(
    { type: 'fillReverted' },
    { type: 'refundDue', reason: 'SLIPPAGE' },
    { type: 'refundDue', reason: 'ORDER_EXPIRED' },
    { type: 'refundFailed', input: 0, reason: 'AMOUNT_TOO_LOW_TO_REFUND' },
  ),
) as fc.Arbitrary<RequestEvent>
const events = fc.array(event, { maxLength: 30 })

const request = quotedRequest(hashOf(1))
const quoted = initialState(request)
const next = (state: RequestState, each: RequestEvent, at = 7) =>
  advance({ ...request, state, version: 1 }, each, at)
const stateAfter = (all: readonly RequestEvent[], from: RequestState = quoted) =>
  all.reduce((state, each) => next(state, each), from)
const shown = ({ seq: _, updatedAt: __, ...rest }: RequestState) => rest

describe('for any events in any order', () => {
  it('statuses change as the table allows, never after a terminal one, and each change has the next seq', () => {
    fc.assert(
      fc.property(events, (all) => {
        let state = quoted
        for (const each of all) {
          const following = next(state, each, state.updatedAt + 1)
          if (isTerminal(state.status)) expect(following).toBe(state)
          expect(mayFollow(state.status, following.status)).toBe(true)
          if (following !== state) {
            expect(following.seq).toBe(state.seq + 1)
            expect(following.updatedAt).toBe(state.updatedAt + 1)
            expect(shown(following)).not.toEqual(shown(state))
          }
          state = following
        }
      }),
      { numRuns: runs(2_000) },
    )
  })

  it('the same event again changes nothing', () => {
    fc.assert(
      fc.property(events, event, (all, last) => {
        const state = stateAfter([...all, last])
        expect(next(state, last, 9)).toBe(state)
      }),
      { numRuns: runs(2_000) },
    )
  })

  it('a confirmed payment ends the request and is its only hash', () => {
    const payment = fc.constantFrom('fillConfirmed', 'refundConfirmed')
    fc.assert(
      fc.property(events, payment, (all, type) => {
        const before = stateAfter(all)
        fc.pre(!isTerminal(before.status))
        const paid = next(before, { type, input: 0, transaction: observedTransaction(9, 9) }, 8)
        expect(paid.status).toBe(type === 'fillConfirmed' ? 'success' : 'refund')
        expect(paid.txHashes).toEqual([hashOf(9)])
        const isPlain = before.refunds === undefined && before.failReason !== undefined
        if (type === 'fillConfirmed')
          expect(paid.failReason).toBe(isPlain ? 'EXECUTION_REVERTED' : undefined)
        else expect(paid.failReason).toBeDefined()
      }),
    )
  })

  it('a deposit that is seen and undone leaves no trace', () => {
    fc.assert(
      fc.property(events, (all) => {
        const before = stateAfter(all)
        const seen = observedTransaction(9, 9)
        const undone = stateAfter(
          [
            { type: 'depositSeen', ...depositOf(seen) },
            { type: 'depositUndone', ...depositOf(seen) },
          ],
          before,
        )
        expect(shown(undone)).toEqual(shown(before))
      }),
    )
  })

  it('a filled request has no fail reason but that of its calls, and every terminal state is complete', () => {
    fc.assert(
      fc.property(events, (all) => {
        const { status, txHashes, failReason, refundFailReason, fill, refunds } = stateAfter(all)
        if (status === 'success') {
          expect(txHashes).toHaveLength(1)
          expect([undefined, 'EXECUTION_REVERTED']).toContain(failReason)
          expect(refunds).toBeUndefined()
        }
        if (status === 'refund') expect([txHashes.length, typeof failReason]).toEqual([1, 'string'])
        if (status === 'failure') expect(failReason).toBeDefined()
        if (refundFailReason !== undefined) expect(status).toBe('failure')
        if (status === 'refund' || refundFailReason) expect(fill?.status).toBe('skipped')
      }),
    )
  })
})
