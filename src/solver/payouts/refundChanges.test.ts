import { expect, test } from 'vitest'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { withRefundRetry } from './refundChanges.ts'

const deposit = { depositId: 'deposit', status: 'refundable' } as Deposit

test('refunds are retried for the configured days, ever more rarely', () => {
  const retryDays = 7
  let now = 0
  const waits: number[] = []
  for (let each: Deposit | undefined = deposit; each !== undefined; ) {
    each = withRefundRetry(each, { now, retryDays })
    if (each === undefined) break
    waits.push(((each.refundDueAt ?? 0) - now) / 1000)
    now = each.refundDueAt ?? 0
  }
  expect(waits.slice(0, 4)).toEqual([15, 30, 60, 120])
  expect(Math.max(...waits)).toBe(6 * 3600)
  expect(waits.length).toBeLessThan(50)
  const days = now / 86_400_000
  expect(days >= retryDays && days < retryDays + 1).toBe(true)
  expect(withRefundRetry(deposit, { now: 0, retryDays: 0 })).toBeUndefined()
})
