import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { initialState } from '#src/requests/state/requestState.ts'
import { isSolverRequest } from '#src/requests/state/solverRequest.ts'
import { planFill } from '#src/solver/fills/planFill.ts'
import { market } from '#test/support/fixtures/markets.ts'
import { depositFor, fillCaseOf, requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, example } from '#test/support/orders/orders.ts'
import { type AddressRequest, refusedPayment, withSponsorRest } from './paymentTerms.ts'

it('the sponsor of an address pays no more for all payments together than its limit', () => {
  const address = { open: { sponsoredUsd: toUsd(100n) } } as AddressRequest
  const restAfter = (spent: bigint) => withSponsorRest(address, toUsd(spent)).open.sponsoredUsd
  expect([0n, 60n, 100n, 101n].map(restAfter)).toEqual([100n, 40n, 0n, 0n])
  const unsponsored = { open: {} } as AddressRequest
  expect(withSponsorRest(unsponsored, toUsd(0n))).toBe(unsponsored)
})

it('a refused payment that a reorg reopens is refunded, whatever is then paid for its order', () => {
  const price = attempt(example())
  if (price instanceof AppError) throw price
  const parent = { ...requestOf(price), open: {} }
  const payment = depositFor(parent)
  const refused = refusedPayment(parent, payment, parent.createdAt)
  const request = { ...refused, state: { ...parent.state, ...initialState(refused) }, version: 1 }
  if (!isSolverRequest(request)) throw new Error('Not for the solver')
  const planFor = (amount: bigint) => {
    const paid = { ...request, state: { ...request.state, inputStates: parent.state.inputStates } }
    return planFill(fillCaseOf(paid, [depositFor(paid, { amount: toAmount(amount) })], market))
  }
  for (const amount of [payment.amount, payment.amount + 1n, 2n * payment.amount])
    expect(planFor(amount)).toEqual({ kind: 'refund', reason: 'NO_QUOTES' })
})
