import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isTerminal, requestStatuses } from '#src/requests/state/requestState.ts'
import { hash } from '#test/support/arbitraries/valueArbitrary.ts'
import { storedUpstreamRequest } from '#test/support/fixtures/upstreamRequest.ts'
import { idOf } from '#test/support/store/storeModel.ts'
import { parseStatus, stateAfter } from './stateAfter.ts'

const answer = fc.record({
  status: fc.constantFrom(...requestStatuses),
  failReason: fc.constantFrom('N/A', 'SLIPPAGE', 'A_NEW_REASON'),
  inTxHashes: fc.array(hash, { maxLength: 2 }),
  txHashes: fc.array(hash, { maxLength: 2 }),
})

it('for any answers, each change has the next seq, a final status stays, and `success` has a hash', () => {
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 12 }), (answers) => {
      let request = storedUpstreamRequest(idOf(1))
      for (const json of answers) {
        const before = request.state
        const state = stateAfter(request, parseStatus(json), 5)
        if (isTerminal(before.status)) expect(state).toBe(before)
        if (state !== before) expect(state.seq).toBe(before.seq + 1)
        if (state.status === 'success') expect(state.txHashes.length).toBeGreaterThan(0)
        expect(stateAfter({ ...request, state }, parseStatus(json), 9)).toBe(
          isTerminal(state.status) || state !== before ? state : before,
        )
        request = { ...request, state }
      }
    }),
  )
})

const deposit = idOf(2)
const payment = idOf(3)
const after = (json: object) => stateAfter(storedUpstreamRequest(idOf(1)), parseStatus(json), 5)

it('shows the deposit as the main step, and the payment as the fill or the refund', () => {
  const paid = { inTxHashes: [deposit], txHashes: [payment] }
  expect(after({ status: 'pending', inTxHashes: [deposit] })).toMatchInlineSnapshot(`
    {
      "fill": {
        "status": "waiting",
      },
      "inTxHashes": [
        "0x0000000000000000000000000000000000000000000000000000000000000002",
      ],
      "inputStates": [],
      "seq": 1,
      "status": "pending",
      "steps": [
        [
          {
            "status": "implied",
          },
        ],
        [
          {
            "status": "confirmed",
            "transaction": {
              "chainId": 990001,
              "hash": "0x0000000000000000000000000000000000000000000000000000000000000002",
            },
          },
        ],
      ],
      "txHashes": [],
      "updatedAt": 5,
    }
  `)
  expect(after({ status: 'success', ...paid }).fill).toMatchObject({
    transaction: { chainId: 7, hash: payment },
  })
  const refund = after({ status: 'refund', failReason: 'SLIPPAGE', ...paid })
  expect(refund).toMatchObject({
    failReason: 'SLIPPAGE',
    fill: { status: 'skipped' },
    refunds: [{ transaction: { chainId: 990_001, hash: payment } }],
  })
  expect(after({ status: 'failure', failReason: 'NEW' }).failReason).toBe('UNKNOWN')
})

it.each([
  ['status', { status: 'paid' }],
  ['inTxHashes.0', { status: 'pending', inTxHashes: ['0x12'] }],
  ['txHashes', { status: 'pending', txHashes: Array(65).fill(deposit) }],
  ['shape', 'no object'],
])('refuses a wrong %s', (place, json) => {
  expect(() => parseStatus(json)).toThrow(place)
})
