import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { depositFor, requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, example } from '#test/support/orders/orders.ts'
import { depositFault } from './payoutBudget.ts'

const price = attempt(example())
if (price instanceof AppError) throw price
const request = requestOf(price)
const first = depositFor(request)
const day = 86_400

const exitAt = (exitTime: number): Partial<Deposit> => ({ record: { index: 0, exitTime } })
const faultAt = (now: number, ...deposits: readonly Deposit[]) =>
  depositFault(request, deposits, { forcesRefunds: false, now })

it('refunds a deposit that can be taken back in less than seven days', () => {
  const now = first.timestamp + day
  const exitIn = (seconds: number) => depositFor(request, exitAt(now + seconds))
  expect(faultAt(now, exitIn(7 * day))).toBeUndefined()
  expect(faultAt(now, exitIn(7 * day - 1))).toBe('ORDER_EXPIRED')
  expect(faultAt(now, exitIn(-1))).toBe('ORDER_EXPIRED')
  // A plain transfer cannot be taken back.
  expect(faultAt(now, first)).toBeUndefined()
})

it('fills nothing later than seven days before the earliest exit, and nothing after the deadline', () => {
  const seconds = fc.integer({ min: 0, max: 20 * day })
  fc.assert(
    fc.property(seconds, fc.array(fc.option(seconds), { minLength: 1 }), (later, exits) => {
      const now = first.timestamp + later
      const deposits = exits.map((exit) => ({
        ...first,
        ...(exit !== null && exitAt(first.timestamp + exit)),
      }))
      const lasts = deposits.flatMap(({ record }) => (record ? [record.exitTime - 7 * day] : []))
      const isLate = [request.deadline, ...lasts].some((last) => now > last)
      expect(faultAt(now, ...deposits)).toBe(isLate ? 'ORDER_EXPIRED' : undefined)
    }),
  )
})
