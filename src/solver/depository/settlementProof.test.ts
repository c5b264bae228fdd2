import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SettlementState } from '#src/core/pricing/market.ts'
import type { Price } from '#src/core/pricing/price.ts'
import { type Account, nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { orderIdOf } from '#src/protocol/order/orderId.ts'
import { recordedDeposit } from '#src/solver/depository/depositoryCalls.ts'
import { account, originChain } from '#test/support/fixtures/markets.ts'
import { depositFor, requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, example } from '#test/support/orders/orders.ts'
import { proveSettlement } from './settlementProof.ts'

const hash = (digit: string) => `0x${digit.repeat(64)}` as const
const record = { index: 0, exitTime: 2_000_000_000 }

const stateOf = (currency: Account, limit = 10n ** 12n): SettlementState => ({
  outflowLimits: new Map([[currency, toAmount(limit)]]),
  unsettled: new Map(),
})

/** A request for 100 USDC with these app fees in basis points. */
function requestWith(fees: readonly bigint[], amount = 100_000_000n) {
  const appFees = fees.map((fee, at) => ({ recipient: account(`${at + 6}`), fee: toBps(fee) }))
  return requestOf(attempt({ ...example(), amount: toAmount(amount), appFees }) as Price)
}

const fees = fc.array(fc.bigInt(0n, 300n), { maxLength: 3 })
const amount = fc.bigInt(20_000_000n, 10n ** 11n)

it('proves a payment to an open address by the order of the address, whatever the amounts', () => {
  fc.assert(
    fc.property(fees, amount, amount, (bps, quoted, paid) => {
      const parent = requestWith(bps, quoted)
      const child = {
        ...requestWith(bps, paid),
        requestId: hash('d'),
        orderId: hash('e'),
        parentId: parent.requestId,
      }
      const deposit = depositFor(child, { orderId: parent.orderId, record })
      const settlements = new Map([[originChain, stateOf(deposit.currency)]])
      const prove = (known: typeof parent | undefined) =>
        proveSettlement({ request: child, parent: known }, [deposit], settlements, new Map()).kind
      expect(prove(parent)).toBe('proven')
      const hasFees = child.order.fees.length > 0 && quoted !== paid
      expect(prove(undefined)).toBe(hasFees ? 'refund' : 'proven')
    }),
  )
})

it('has no proof for a deposit that names another order, or whose chain is not read', () => {
  const request = requestWith([50n])
  expect(orderIdOf(request.order)).toBe(request.orderId)
  const deposit = depositFor(request, { record })
  const settlements = new Map([[originChain, stateOf(deposit.currency)]])
  const taken = new Map()
  const other = { ...deposit, orderId: hash('f') }
  expect(proveSettlement({ request }, [other], settlements, taken)).toEqual({
    kind: 'refund',
    reason: 'UNKNOWN',
  })
  expect(proveSettlement({ request }, [deposit], new Map(), taken)).toEqual({
    kind: 'wait',
    cause: 'unread',
  })
  expect(recordedDeposit(deposit)?.currency).not.toBe(nativeAddress)
  expect(taken).toEqual(new Map())
})

it('counts the deposits that are proven before in the same round', () => {
  const request = requestWith([])
  const deposit = depositFor(request, { record })
  // A day of settlements is 24 of these deposits.
  const settlements = new Map([[originChain, stateOf(deposit.currency, deposit.amount)]])
  const taken = new Map<string, bigint>()
  const verdicts = Array.from(
    { length: 26 },
    () => proveSettlement({ request }, [deposit], settlements, taken).kind,
  )
  expect(verdicts).toEqual([...Array(24).fill('proven'), 'refund', 'refund'])
})
