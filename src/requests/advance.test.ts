import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quotedRequest } from '#test/quotedRequest.ts'
import { advance, mayFollow } from './advance.ts'
import type { RequestEvent } from './requestEvent.ts'
import { initialState, isTerminal, type RequestState } from './requestState.ts'

const hashOf = (number: number): `0x${string}` => `0x${number.toString(16).padStart(64, '0')}`

/** In block `height` of branch `branch`; in none without a height. */
const sighting = (name: number, height?: number, branch = 0) => ({
  chainId: 990001,
  hash: hashOf(name),
  ...(height !== undefined && {
    block: { number: BigInt(height), hash: hashOf(1000 * (branch + 1) + height) },
  }),
})

const transactionTypes = [
  ...['depositSeen', 'depositCredited', 'depositUndone'],
  ...['swapSeen', 'swapUndone', 'swapConfirmed', 'swapReverted'],
  ...['fillSent', 'fillMined', 'fillUndone', 'fillConfirmed'],
  ...['refundSent', 'refundMined', 'refundUndone', 'refundConfirmed'],
] as const

// Few transactions and blocks, so that events meet.
const transaction = fc
  .tuple(fc.nat(2), fc.option(fc.nat(2), { nil: undefined }), fc.nat(1))
  .map(([name, height, branch]) => sighting(name, height, branch))

const event = fc.oneof(
  { weight: 12, arbitrary: fc.record({ type: fc.constantFrom(...transactionTypes), transaction }) },
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
    { type: 'refundFailed', reason: 'AMOUNT_TOO_LOW_TO_REFUND' },
  ),
) as fc.Arbitrary<RequestEvent>
const events = fc.array(event, { maxLength: 30 })

const quoted = initialState(quotedRequest(hashOf(1)))
const stateAfter = (all: readonly RequestEvent[], from: RequestState = quoted) =>
  all.reduce((state, each) => advance(state, each, 7), from)
const shown = ({ seq: _, updatedAt: __, ...rest }: RequestState) => rest

describe('whatever happens, and in whatever order', () => {
  it('statuses change as the table allows, a terminal one never, and each change is the next seq', () => {
    fc.assert(
      fc.property(events, (all) => {
        let state = quoted
        for (const each of all) {
          const following = advance(state, each, state.updatedAt + 1)
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
      { numRuns: 2000 },
    )
  })

  it('the same event again changes nothing', () => {
    fc.assert(
      fc.property(events, event, (all, last) => {
        const state = stateAfter([...all, last])
        expect(advance(state, last, 9)).toBe(state)
      }),
      { numRuns: 2000 },
    )
  })

  it('a payment that counts ends it, one hash to show for it', () => {
    const payment = fc.constantFrom('fillConfirmed', 'refundConfirmed')
    fc.assert(
      fc.property(events, payment, (all, type) => {
        const before = stateAfter(all)
        fc.pre(!isTerminal(before.status))
        const paid = advance(before, { type, transaction: sighting(9, 9) }, 8)
        expect(paid.status).toBe(type === 'fillConfirmed' ? 'success' : 'refund')
        expect(paid.txHashes).toEqual([hashOf(9)])
        expect(paid.failReason === undefined).toBe(type === 'fillConfirmed')
      }),
    )
  })

  it('a deposit that is seen and undone leaves no trace', () => {
    fc.assert(
      fc.property(events, (all) => {
        const before = stateAfter(all)
        const seen = sighting(9, 9)
        const undone = stateAfter(
          [
            { type: 'depositSeen', transaction: seen },
            { type: 'depositUndone', transaction: seen },
          ],
          before,
        )
        expect(shown(undone)).toEqual(shown(before))
      }),
    )
  })

  it('what shows a reason is not paid out, and every end has what its status promises', () => {
    fc.assert(
      fc.property(events, (all) => {
        const { status, txHashes, failReason, refundFailReason, fill } = stateAfter(all)
        if (status === 'success') expect([txHashes.length, failReason]).toEqual([1, undefined])
        if (status === 'refund') expect([txHashes.length, typeof failReason]).toEqual([1, 'string'])
        if (status === 'failure') expect(failReason).toBeDefined()
        if (refundFailReason !== undefined) expect(status).toBe('failure')
        if (status === 'refund' || refundFailReason) expect(fill?.status).toBe('skipped')
      }),
    )
  })
})

describe('a request that the solver fills', () => {
  const approved = { ...sighting(1, 1) }
  const deposit = { transaction: sighting(2, 2) }
  const funded: readonly RequestEvent[] = [
    { type: 'approvalSeen', step: 0, item: 0, transaction: approved },
    { type: 'depositSeen', ...deposit },
    { type: 'depositCredited', ...deposit },
  ]
  const statuses = (all: readonly RequestEvent[]) => {
    const seen: string[] = []
    all.reduce((state, each) => {
      const following = advance(state, each, 7)
      seen.push(following.status)
      return following
    }, quoted)
    return seen
  }

  it('goes from waiting to success, and shows each step on the way', () => {
    const fill = sighting(3, 3)
    const all: readonly RequestEvent[] = [
      ...funded,
      { type: 'fillSent', transaction: sighting(3) },
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
      fill: { status: 'confirmed', transaction: fill },
      updatedAt: 7,
    })
  })

  it('takes an approval that nobody saw for implied by the deposit that needed it', () => {
    const { steps } = stateAfter([{ type: 'depositCredited', ...deposit }])
    const proven = { status: 'confirmed', transaction: deposit.transaction }
    expect(steps).toEqual([[{ status: 'implied' }], [proven]])
    const undone = stateAfter([
      { type: 'depositCredited', ...deposit },
      { type: 'depositUndone', ...deposit },
    ])
    expect(shown(undone)).toEqual(shown(quoted))
  })

  it('waits again for a deposit that is gone, unless a payment is on its way', () => {
    const undone: RequestEvent = { type: 'depositUndone', ...deposit }
    const due: RequestEvent = { type: 'refundDue', reason: 'SLIPPAGE' }
    expect(stateAfter([...funded, undone]).status).toBe('waiting')
    expect(stateAfter([...funded, due, undone])).toMatchObject({
      status: 'waiting',
      inTxHashes: [],
    })
    expect(stateAfter([...funded, due, undone])).not.toHaveProperty('failReason')
    const sent: RequestEvent = { type: 'fillSent', transaction: sighting(3) }
    expect(statuses([...funded, sent, undone]).at(-1)).toBe('submitted')
    const refundSent: RequestEvent = { type: 'refundSent', transaction: sighting(4) }
    expect(statuses([...funded, due, refundSent, undone]).at(-1)).toBe('pending')
  })

  it('shows a deposit that another block holds now, once', () => {
    const moved = { transaction: sighting(2, 3, 1) }
    const state = stateAfter([...funded, { type: 'depositSeen', ...moved }])
    expect(state.steps[1]).toEqual([{ status: 'confirmed', ...moved }])
    expect(state.inTxHashes).toEqual([hashOf(2)])
  })

  it('keeps to the deposit it counts on when another comes', () => {
    const another = { transaction: sighting(5, 5) }
    const all: RequestEvent[] = [...funded, { type: 'depositSeen', ...another }]
    expect(stateAfter(all).inTxHashes).toEqual([hashOf(2), hashOf(5)])
    expect(stateAfter([...all, { type: 'depositCredited', ...another }])).toEqual(stateAfter(all))
    expect(stateAfter(all).steps[1]).toEqual([{ status: 'confirmed', ...deposit }])
  })

  it('goes back to pending for a fill that is gone, and on to success when it is back', () => {
    const fill = { transaction: sighting(3, 3) }
    const all: readonly RequestEvent[] = [
      ...funded,
      { type: 'fillSent', transaction: sighting(3) },
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
      { type: 'fillSent', transaction: sighting(3) },
      { type: 'fillReverted' },
      { type: 'refundDue', reason: 'EXECUTION_REVERTED' },
      { type: 'refundSent', transaction: sighting(4) },
      { type: 'refundMined', transaction: sighting(4, 4) },
      { type: 'refundConfirmed', transaction: sighting(4, 4) },
    ]
    expect(statuses(all).slice(3)).toEqual([
      ...['submitted', 'pending', 'pending', 'pending', 'pending', 'refund'],
    ])
    expect(stateAfter(all)).toMatchObject({
      failReason: 'EXECUTION_REVERTED',
      txHashes: [hashOf(4)],
      fill: { status: 'skipped' },
    })
    const failed: RequestEvent = { type: 'refundFailed', reason: 'EXECUTION_REVERTED' }
    const skipped = { status: 'skipped' }
    const end = { status: 'failure', txHashes: [], fill: skipped, refund: skipped }
    expect(stateAfter([...all.slice(0, 6), failed])).toMatchObject(end)
  })
})

describe('a request that the user swaps alone', () => {
  const { fill: _, ...alone } = quoted
  const swap = { transaction: sighting(1, 1) }

  it('is seen, undone, seen in another block, and done', () => {
    const undone = stateAfter(
      [
        { type: 'swapSeen', ...swap },
        { type: 'swapUndone', ...swap },
      ],
      alone,
    )
    expect(shown(undone)).toEqual(shown(alone))
    const again = { transaction: sighting(1, 2, 1) }
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

  it('fails for its own swap alone', () => {
    const other = { transaction: sighting(2, 1) }
    const seen = stateAfter([{ type: 'swapSeen', ...swap }], alone)
    expect(advance(seen, { type: 'swapReverted', ...other }, 9)).toBe(seen)
    expect(advance(seen, { type: 'swapReverted', ...swap }, 9)).toMatchObject({
      status: 'failure',
      failReason: 'TRANSACTION_REVERTED',
      txHashes: [],
    })
  })
})
