import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildSteps } from '#src/execution/buildSteps.ts'
import { mainStepOf } from '#src/execution/mainStep.ts'
import { toAmount } from '#src/units/amount.ts'
import { contexts, prices } from '#test/executionArbitrary.ts'
import { requestOf } from '#test/fillCase.ts'
import { isAsOrdered, leastDeposit } from './orderedDeposit.ts'

const crossings = prices.filter(({ execution }) => execution === 'solver')

test('the least that a request’s own deposit may bring is the minimum of the swap before it', () => {
  const met = { deposit: 0, plainDeposit: 0, routedDeposit: 0, less: 0 }
  fc.assert(
    fc.property(crossings, contexts, (price, context) => {
      const request = { ...requestOf(price), steps: buildSteps(price, context) }
      const { currency, amount, minimumAmount } = price.origin.output
      expect(leastDeposit(request)).toBe(minimumAmount)
      const isFit = (deposited: bigint) =>
        isAsOrdered(request, { currency: currency.address, amount: toAmount(deposited) })
      expect([isFit(amount), isFit(minimumAmount)]).toEqual([true, true])
      if (minimumAmount > 0n) expect(isFit(minimumAmount - 1n)).toBe(false)
      met[mainStepOf(price) as 'deposit' | 'plainDeposit' | 'routedDeposit'] += 1
      if (minimumAmount < amount) met.less += 1
    }),
  )
  expect(Object.values(met).every((times) => times > 0)).toBe(true)
})

test('more than was ordered is as ordered, and another currency never is', () => {
  fc.assert(
    fc.property(crossings, (price) => {
      const request = requestOf(price)
      const deposit = { currency: request.depositCurrency, amount: request.depositAmount }
      const more = toAmount(deposit.amount + 1n)
      expect(isAsOrdered(request, { ...deposit, amount: more })).toBe(true)
      expect(isAsOrdered(request, { currency: request.recipient, amount: more })).toBe(false)
    }),
  )
})
