import type { Tx } from '#src/pricing/order.ts'
import type { Address } from '#src/units/address.ts'
import { payCall, type RouterCall, requireBalanceCall, sweepCalls } from './routerCalls.ts'

/** Of what the router holds of the output. */
export type Payment = Readonly<{
  currency: Address
  recipient: Address
  /** Less of it undoes all. */
  minimum: bigint
  /** The order's own calls. */
  txs: readonly Tx[]
}>

/** The caller's own calls find the output with the router, and the recipient gets what they leave. */
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
    // Calls that move native currency may wrap some.
    ...(currency === wrappedNative ? [] : sweepCalls(router, [wrappedNative], recipient)),
  ]
}
