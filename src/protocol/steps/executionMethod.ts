import type { Price, PricedOrigin } from '#src/core/pricing/price.ts'
import { isSameCurrency } from '#src/core/units/currency.ts'

/**
 * Method by which a deposit reaches the depository: a call of the depository (`deposit`), a transfer with the order id
 * appended to its calldata (`plainDeposit`), a router call that swaps first (`routedDeposit`), or a payment to an
 * address that anyone can sweep into the depository (`addressPayment`).
 */
export type DepositMethod = 'deposit' | 'plainDeposit' | 'routedDeposit' | 'addressPayment'

/**
 * The user's own transaction that executes a price: a router call (`routedSwap`), a call of the wrapped native currency
 * (`wrap`, `unwrap`), or a transfer to the recipient (`send`).
 */
export type SwapMethod = 'routedSwap' | 'wrap' | 'unwrap' | 'send'

export function depositMethodOf({ leg, explicitDeposit, sweep }: PricedOrigin): DepositMethod {
  if (sweep !== undefined) return 'addressPayment'
  if (!isSameCurrency(leg.input.currency, leg.output.currency)) return 'routedDeposit'
  return explicitDeposit ? 'deposit' : 'plainDeposit'
}

export function swapMethodOf({ operation, order, fees }: Price): SwapMethod {
  if (fees.app.amount > 0n || order.txs.length > 0 || order.permit !== undefined)
    return 'routedSwap'
  switch (operation) {
    case 'send':
      return 'send'
    case 'wrap':
    case 'unwrap':
      // The wrapped currency can only pay its caller.
      return order.recipient === order.user ? operation : 'routedSwap'
    case 'swap':
    case 'bridge':
      return 'routedSwap'
  }
}
