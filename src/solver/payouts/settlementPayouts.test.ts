import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { toAmount } from '#src/units/amount.ts'
import { account } from '#test/support/fixtures/markets.ts'
import { type Earned, settlementPayouts } from './settlementPayouts.ts'

const solver = account('5')
const currency = fc.constantFrom(account('0'), account('1'), account('2'))

const earned: fc.Arbitrary<Earned> = fc
  .record({
    currency,
    amount: fc.bigInt(1n, 10n ** 24n).map(toAmount),
    // The fees together may exceed a deposit that was too small.
    fees: fc.array(
      fc.record({
        recipient: fc.constantFrom(account('7'), account('8')),
        amount: fc.bigInt(0n, 10n ** 23n),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ currency, amount, fees }) => ({
    deposit: { currency, amount } as Deposit,
    fees: fees.map((fee) => ({
      ...fee,
      recipientChainId: 'one',
      currencyChainId: 'one',
      currency,
    })),
  }))

const sumsOf = (amounts: readonly Readonly<{ currency: string; amount: bigint }>[]) => {
  const sums: Record<string, bigint> = {}
  for (const { currency, amount } of amounts) sums[currency] = (sums[currency] ?? 0n) + amount
  return sums
}

test('settlements pay out the whole deposits, and no fee exceeds the one of its order', () => {
  fc.assert(
    fc.property(
      fc.array(earned, { minLength: 1, maxLength: 30 }),
      fc.boolean(),
      (all, feesMayFail) => {
        const payouts = settlementPayouts(all, { solver, feesMayFail })
        expect(sumsOf(payouts)).toEqual(sumsOf(all.map(({ deposit }) => deposit)))
        expect(payouts.every(({ amount }) => amount > 0n)).toBe(true)
        const toSolver = payouts.filter(({ recipient }) => recipient === solver)
        expect(new Set(toSolver.map((each) => each.currency)).size).toBe(toSolver.length)
        expect(toSolver.every(({ allowFailure }) => !allowFailure)).toBe(true)
        for (const recipient of [account('7'), account('8')]) {
          const named = all.flatMap(({ fees }) => fees.filter((fee) => fee.recipient === recipient))
          const paid = payouts.filter((each) => each.recipient === recipient)
          for (const [address, amount] of Object.entries(sumsOf(paid)))
            expect(amount).toBeLessThanOrEqual(sumsOf(named)[address] ?? 0n)
        }
      },
    ),
  )
})
