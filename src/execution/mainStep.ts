import type { Price } from '#src/pricing/price.ts'
import { isSameCurrency } from '#src/units/currency.ts'

/**
 * What the user's main transaction is: a call of the depository (`deposit`), a plain payment to it that
 * ends with the order's id (`plainDeposit`), a run of the router that ends in a deposit or in payments,
 * a call of the wrapped native currency, or a plain payment to the recipient (`send`).
 */
export type MainStep =
  | 'deposit'
  | 'plainDeposit'
  | 'routedDeposit'
  | 'routedSwap'
  | 'wrap'
  | 'unwrap'
  | 'send'

export const mainStepOf = (price: Price): MainStep =>
  price.execution === 'solver' ? depositOf(price) : swapOf(price)

function depositOf({ origin, order }: Price): MainStep {
  if (!isSameCurrency(origin.input.currency, origin.output.currency)) return 'routedDeposit'
  return order.explicitDeposit ? 'deposit' : 'plainDeposit'
}

function swapOf({ operation, order, fees }: Price): MainStep {
  if (fees.app.amount > 0n || order.txs.length > 0) return 'routedSwap'
  switch (operation) {
    case 'send':
      return 'send'
    case 'wrap':
    case 'unwrap':
      // The wrapped currency pays its caller alone.
      return order.recipient === order.user ? operation : 'routedSwap'
    case 'swap':
    case 'bridge':
      return 'routedSwap'
  }
}
