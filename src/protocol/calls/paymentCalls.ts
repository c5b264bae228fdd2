import type { Hex } from 'viem'
import type { Tx } from '#src/core/pricing/order.ts'
import type { Address } from '#src/core/units/address.ts'
import { isNative } from '#src/core/units/currency.ts'
import { executeCall, payCall, type RouterCall } from './routerCalls.ts'

/** A payment out of the router's balance of `currency`. */
export type Payment = Readonly<{
  currency: Address
  recipient: Address
  /** A smaller balance reverts the transaction. */
  minimum: bigint
  /** The order's destination calls. */
  txs: readonly Tx[]
}>

/**
 * The order's destination calls run first and may spend the output. The recipient gets the rest.
 * @param id the order id of a fill, or the request id of a user's own swap. The executor's address depends on it.
 */
export function paymentCall(
  { router, wrappedNative, id }: Readonly<{ router: Address; wrappedNative: Address; id: Hex }>,
  { currency, recipient, minimum, txs }: Payment,
): RouterCall {
  if (txs.length === 0) return payCall(router, currency, { recipient, minimum })
  // The calls may wrap native currency.
  const returned = [...new Set([currency, wrappedNative])].filter((each) => !isNative(each))
  return executeCall(router, { id, txs, currency, minimum, returned, recipient })
}
