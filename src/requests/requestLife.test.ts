import { describe, expect, it } from 'vitest'
import {
  depositOf,
  hashOf,
  observedTransaction,
} from '#test/support/fixtures/observedTransactions.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { advance } from './machine.ts'
import type { RequestEvent } from './state/requestEvent.ts'
import { initialState, type RequestState } from './state/requestState.ts'

const request = quotedRequest(hashOf(1))
const quoted = initialState(request)
const next = (state: RequestState, each: RequestEvent, at = 7) =>
  advance({ ...request, state, version: 1 }, each, at)
const stateAfter = (all: readonly RequestEvent[], from: RequestState = quoted) =>
  all.reduce((state, each) => next(state, each), from)
const shown = ({ seq: _, updatedAt: __, ...rest }: RequestState) => rest

describe('a request that the solver fills', () => {
  const approved = { ...observedTransaction(1, 1) }
  const deposit = depositOf(observedTransaction(2, 2))
  const funded: readonly RequestEvent[] = [
    { type: 'approvalSeen', step: 0, item: 0, transaction: approved },
    { type: 'depositSeen', ...deposit },
    { type: 'depositCredited', ...deposit },
  ]
  const statuses = (all: readonly RequestEvent[]) => {
    const seen: string[] = []
    all.reduce((state, each) => {
      const following = next(state, each)
      seen.push(following.status)
      return following
    }, quoted)
    return seen
  }

  it('goes from waiting to success and shows each step', () => {
    const fill = observedTransaction(3, 3)
    const all: readonly RequestEvent[] = [
      ...funded,
      { type: 'fillSent', transaction: observedTransaction(3) },
      { type: 'fillMined', transaction: fill },
      { type: 'fillConfirmed', transaction: fill },
    ]
    expect(statuses(all)).toEqual([
      ...['waiting', 'waiting', 'pending', 'submitted', 'submitted', 'success'],
    ])
    expect(stateAfter(all)).toEqual({
      status: 'success',
      seq: 6,
      inTxHashes: [hashOf(2)],
      txHashes: [hashOf(3)],
      steps: [
        [{ status: 'confirmed', transaction: approved }],
        [{ status: 'confirmed', transaction: deposit.transaction }],
      ],
      inputStates: [{ status: 'funded', depositId: deposit.depositId }],
      fill: { status: 'confirmed', transaction: fill },
      updatedAt: 7,
    })
  })

  it('shows an unseen approval as implied by the confirmed deposit', () => {
    const { steps } = stateAfter([{ type: 'depositCredited', ...deposit }])
    const { transaction } = deposit
    const proven = { status: 'confirmed', transaction }
    expect(steps).toEqual([[{ status: 'implied' }], [proven]])
    const undone = stateAfter([
      { type: 'depositCredited', ...deposit },
      { type: 'depositUndone', ...deposit },
    ])
    expect(shown(undone)).toEqual(shown(quoted))
  })

  it('awaits an orphaned deposit again, unless a payment was sent', () => {
    const undone: RequestEvent = { type: 'depositUndone', ...deposit }
    const due: RequestEvent = { type: 'refundDue', reason: 'SLIPPAGE' }
    expect(stateAfter([...funded, undone]).status).toBe('waiting')
    expect(stateAfter([...funded, due, undone])).toMatchObject({
      status: 'waiting',
      inTxHashes: [],
    })
    expect(stateAfter([...funded, due, undone])).not.toHaveProperty('failReason')
    const sent: RequestEvent = { type: 'fillSent', transaction: observedTransaction(3) }
    expect(statuses([...funded, sent, undone]).at(-1)).toBe('submitted')
    const refundSent: RequestEvent = {
      type: 'refundSent',
      input: 0,
      transaction: observedTransaction(4),
    }
    expect(statuses([...funded, due, refundSent, undone]).at(-1)).toBe('pending')
  })

  it('shows a deposit that moved to another block once', () => {
    const moved = depositOf(observedTransaction(2, 3, 1))
    const state = stateAfter([...funded, { type: 'depositSeen', ...moved }])
    expect(state.steps[1]).toEqual([{ status: 'confirmed', transaction: moved.transaction }])
    expect(state.inTxHashes).toEqual([hashOf(2)])
  })

  it('awaits another deposit after one that was refused, and shows a bounded number of them', () => {
    const small = Array.from({ length: 150 }, (_, at) =>
      depositOf(observedTransaction(100 + at, 2)),
    )
    const reason = 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'
    const refused = stateAfter(
      small.flatMap((each): readonly RequestEvent[] => [
        { type: 'depositSeen', ...each },
        { type: 'depositRefused', reason, transaction: each.transaction },
      ]),
    )
    expect(refused).toMatchObject({ status: 'waiting', refusedDeposit: reason })
    expect(refused.steps).toEqual(quoted.steps)
    expect(refused.inTxHashes).toHaveLength(100)
    const paid = stateAfter(funded, refused)
    expect(paid.status).toBe('pending')
    expect(paid.refusedDeposit).toBeUndefined()
    expect(paid.inTxHashes.at(-1)).toBe(deposit.transaction.hash)
  })

  it('keeps its funding deposit when another arrives', () => {
    const another = depositOf(observedTransaction(5, 5))
    const all: RequestEvent[] = [...funded, { type: 'depositSeen', ...another }]
    expect(stateAfter(all).inTxHashes).toEqual([hashOf(2), hashOf(5)])
    expect(stateAfter([...all, { type: 'depositCredited', ...another }])).toEqual(stateAfter(all))
    expect(stateAfter(all).steps[1]).toEqual([
      { status: 'confirmed', transaction: deposit.transaction },
    ])
  })

  it('returns to pending when the fill is orphaned, and to success when it is back', () => {
    const fill = { transaction: observedTransaction(3, 3) }
    const all: readonly RequestEvent[] = [
      ...funded,
      { type: 'fillSent', transaction: observedTransaction(3) },
      { type: 'fillMined', ...fill },
      { type: 'fillUndone', ...fill },
    ]
    expect(stateAfter(all)).toMatchObject({
      status: 'pending',
      txHashes: [],
      fill: { status: 'sent', transaction: { hash: hashOf(3) } },
    })
    expect(stateAfter([...all, { type: 'fillConfirmed', ...fill }]).status).toBe('success')
    expect(stateAfter([...all, { type: 'fillMined', ...fill }]).status).toBe('submitted')
  })

  it('shows no failure before a refund', () => {
    const all: readonly RequestEvent[] = [
      ...funded,
      { type: 'fillSent', transaction: observedTransaction(3) },
      { type: 'fillReverted' },
      { type: 'refundDue', reason: 'EXECUTION_REVERTED' },
      { type: 'refundSent', input: 0, transaction: observedTransaction(4) },
      { type: 'refundMined', input: 0, transaction: observedTransaction(4, 4) },
      { type: 'refundConfirmed', input: 0, transaction: observedTransaction(4, 4) },
    ]
    expect(statuses(all).slice(3)).toEqual([
      ...['submitted', 'pending', 'pending', 'pending', 'pending', 'refund'],
    ])
    expect(stateAfter(all)).toMatchObject({
      failReason: 'EXECUTION_REVERTED',
      txHashes: [hashOf(4)],
      fill: { status: 'skipped' },
    })
    const failed: RequestEvent = { type: 'refundFailed', input: 0, reason: 'EXECUTION_REVERTED' }
    const skipped = { status: 'skipped' }
    const end = { status: 'failure', txHashes: [], fill: skipped, refunds: [skipped] }
    expect(stateAfter([...all.slice(0, 6), failed])).toMatchObject(end)
  })
})

describe('a request whose calls have reverted', () => {
  const deposit = depositOf(observedTransaction(2, 2))
  const plainFill = {
    type: 'fillSent',
    transaction: observedTransaction(4),
    skipsCalls: true,
  } as const
  const paid: readonly RequestEvent[] = [
    { type: 'depositCredited', ...deposit },
    { type: 'fillSent', transaction: observedTransaction(3) },
    { type: 'fillReverted' },
    plainFill,
  ]
  const confirmed: RequestEvent = {
    type: 'fillConfirmed',
    transaction: observedTransaction(4, 4),
  }

  it('ends with success, and reports that its calls have reverted', () => {
    expect(stateAfter(paid.slice(0, 3))).toMatchObject({ status: 'pending', txHashes: [] })
    expect(stateAfter(paid)).toMatchObject({
      status: 'submitted',
      failReason: 'EXECUTION_REVERTED',
      fill: { status: 'sent', transaction: { hash: hashOf(4) } },
    })
    const state = stateAfter([...paid, confirmed])
    const end = { status: 'success', failReason: 'EXECUTION_REVERTED', txHashes: [hashOf(4)] }
    expect(state).toMatchObject(end)
    expect(state).not.toHaveProperty('refunds')
  })

  it('keeps the reason while the second fill is replaced or orphaned', () => {
    const raised: RequestEvent = { type: 'fillSent', transaction: observedTransaction(5) }
    const mined = { transaction: observedTransaction(5, 5) }
    const undone: readonly RequestEvent[] = [
      ...paid,
      raised,
      { type: 'fillMined', ...mined },
      { type: 'fillUndone', ...mined },
    ]
    expect(stateAfter(undone)).toMatchObject({
      status: 'pending',
      failReason: 'EXECUTION_REVERTED',
    })
    expect(stateAfter([...undone, confirmed])).toMatchObject({
      status: 'success',
      failReason: 'EXECUTION_REVERTED',
    })
  })

  it('has no reason while its second fill is planned again, and that of the refund after it', () => {
    const again = stateAfter([...paid, { type: 'fillReverted' }])
    expect(again).toMatchObject({ status: 'pending' })
    expect(again).not.toHaveProperty('failReason')
    const due: RequestEvent = { type: 'refundDue', reason: 'SOLVER_BALANCE_TOO_LOW' }
    expect(next(again, due)).toMatchObject({ failReason: 'SOLVER_BALANCE_TOO_LOW' })
    expect(stateAfter([...paid, due])).toMatchObject({
      status: 'pending',
      failReason: 'SOLVER_BALANCE_TOO_LOW',
      refunds: [{ status: 'waiting' }],
    })
  })

  it('drops a refund that was due, with its reason, once it is paid', () => {
    const due: RequestEvent = { type: 'refundDue', reason: 'EXECUTION_REVERTED' }
    const state = stateAfter([...paid.slice(0, 3), due, plainFill, confirmed])
    expect(state.status).toBe('success')
    expect(state).not.toHaveProperty('failReason')
    expect(state).not.toHaveProperty('refunds')
  })
})

describe('a request that the user swaps without the solver', () => {
  const { fill: _, ...rest } = quoted
  const alone = { ...rest, inputStates: [] }
  const swap = { transaction: observedTransaction(1, 1) }

  it('is seen, undone, seen in another block, and confirmed', () => {
    const undone = stateAfter(
      [
        { type: 'swapSeen', ...swap },
        { type: 'swapUndone', ...swap },
      ],
      alone,
    )
    expect(shown(undone)).toEqual(shown(alone))
    const again = { transaction: observedTransaction(1, 2, 1) }
    const done = stateAfter(
      [
        { type: 'swapSeen', ...again },
        { type: 'swapConfirmed', ...again },
      ],
      undone,
    )
    expect(done).toMatchObject({
      status: 'success',
      txHashes: [hashOf(1)],
      inTxHashes: [hashOf(1)],
    })
    expect(done).not.toHaveProperty('fill')
  })

  it('fails only for its own swap', () => {
    const other = { transaction: observedTransaction(2, 1) }
    const seen = stateAfter([{ type: 'swapSeen', ...swap }], alone)
    expect(next(seen, { type: 'swapReverted', ...other }, 9)).toBe(seen)
    expect(next(seen, { type: 'swapReverted', ...swap }, 9)).toMatchObject({
      status: 'failure',
      failReason: 'TRANSACTION_REVERTED',
      txHashes: [],
    })
  })
})
