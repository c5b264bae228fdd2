import type { Tx } from '#src/pricing/order.ts'
import type { Address } from '#src/units/address.ts'
import { payCall, type RouterCall, requireBalanceCall, sweepCalls } from './routerCalls.ts'

/** A payment out of the router's balance of `currency`. */
export type Payment = Readonly<{
  currency: Address
  recipient: Address
  /** A smaller balance reverts the transaction. */
  minimum: bigint
  /** The order's destination calls. */
  txs: readonly Tx[]
}>

/** The order's destination calls run first and may spend the output. The recipient gets the rest. */
export function paymentCalls(
  router: Address,
  wrappedNative: Address,
  { currency, recipient, minimum, txs }: Payment,
): readonly RouterCall[] {
  if (txs.length === 0) return [payCall(router, currency, { recipient, minimum })]
  return [
    requireBalanceCall(router, currency, minimum),
    ...txs.map(
      ({ to, value, data }): RouterCall => ({
        target: to,
        allowFailure: false,
        value,
        callData: data,
      }),
    ),
    payCall(router, currency, { recipient, minimum: 0n }),
    // The calls may wrap native currency.
    ...(currency === wrappedNative ? [] : sweepCalls(router, [wrappedNative], recipient)),
  ]
}
