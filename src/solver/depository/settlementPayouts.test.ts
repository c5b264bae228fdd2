import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toAmount } from '#src/core/units/amount.ts'
import type { ProtocolOrder } from '#src/protocol/order/protocolOrder.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { account } from '#test/support/fixtures/markets.ts'
import { type FilledDeposit, settlementOf } from './settlementPayouts.ts'

const payee = account('5')
const currency = account('0')
const terms = { payee, expiration: 1n }

const orderOf = (payment: bigint, fees: readonly bigint[]): ProtocolOrder => ({
  version: 'v1',
  solverChainId: 'one',
  solver: payee,
  salt: 1n,
  inputs: [{ payment: { chainId: 'one', currency, amount: payment, weight: 1n }, refunds: [] }],
  output: { chainId: 'two', payments: [], deadline: 1, calls: [], extraData: '0x' },
  fees: fees.map((amount, at) => ({
    recipientChainId: 'one',
    recipient: account(at === 0 ? '7' : '8'),
    currencyChainId: 'one',
    currency,
    amount,
  })),
})

const positive = fc.bigInt(1n, 10n ** 24n)
const earned = fc
  .record({
    amount: positive,
    payment: positive,
    fees: fc.array(fc.bigInt(0n, 10n ** 24n), { maxLength: 3 }),
    isRecorded: fc.boolean(),
  })
  .map(({ amount, payment, fees, isRecorded }): Required<Omit<FilledDeposit, 'owed'>> => {
    const id = `0x${'1'.repeat(64)}` as const
    const deposit = {
      depositId: `1:${id}${isRecorded ? '' : ':4'}`,
      txHash: id,
      orderId: id,
      currency,
      depositor: account('3'),
      amount: toAmount(amount),
      ...(isRecorded && { record: { index: 2, exitTime: 9 } }),
    } as Deposit
    const order = orderOf(payment, fees)
    return { deposit, orders: { quoted: order, proving: order } }
  })

test('a settlement draws the whole deposit, and no fee exceeds its share of the order', () => {
  fc.assert(
    fc.property(earned, (each) => {
      const { deposit, orders } = each
      const order = orders.proving
      const payout = settlementOf([each], terms)
      const feeOf = (at: number) => order.fees[at]?.amount ?? 0n
      const payment = order.inputs[0]?.payment.amount ?? 0n
      // The depository accepts this share rounded up.
      const maxOf = (at: number) => (feeOf(at) * deposit.amount + payment - 1n) / payment
      if (payout.kind === 'unrecorded') {
        const paid = payout.payments.reduce((sum, { amount }) => sum + amount, 0n)
        expect(paid).toBe(deposit.amount)
        expect(payout.payments.at(-1)?.recipient).toBe(payee)
        return
      }
      const [draw] = payout.draws
      expect(draw?.owed).toBe(deposit.amount)
      expect(draw?.deposit.index).toBe(2n)
      const fees = draw?.fees ?? []
      for (const { amount, recipient, proof } of fees) {
        const at = Number(proof.feeAt)
        expect(recipient).toBe(order.fees[at]?.recipient)
        expect(amount > 0n && amount <= maxOf(at)).toBe(true)
      }
      expect(fees.map(({ proof }) => proof.feeAt)).toEqual(
        fees.map(({ proof }) => proof.feeAt).toSorted((one, other) => Number(one - other)),
      )
      expect(fees.reduce((sum, { amount }) => sum + amount, 0n)).toBeLessThanOrEqual(deposit.amount)
      expect(draw?.proof).toHaveLength(fees.length === 0 ? 0 : 1)
    }),
  )
})

test('a deposit that is exactly as quoted pays exactly the quoted fees, and one without an order none', () => {
  const order = orderOf(100n, [3n, 4n])
  const deposit = {
    depositId: '1:0x1',
    currency,
    depositor: account('3'),
    amount: toAmount(100n),
  } as Deposit
  const recorded = { ...deposit, record: { index: 0, exitTime: 9 } }
  const feesOf = (each: FilledDeposit) => {
    const payout = settlementOf([each], terms)
    return payout.kind === 'settlement' && payout.draws[0]?.fees.map(({ amount }) => amount)
  }
  expect(feesOf({ deposit: recorded, orders: { quoted: order, proving: order } })).toEqual([3n, 4n])
  expect(feesOf({ deposit: recorded })).toEqual([])
})
