import type { Funding, Price } from '#src/pricing/price.ts'
import { isSameCurrency } from '#src/units/currency.ts'

/**
 * What a deposit is: a call of the depository (`deposit`), a plain payment to it that ends with the order's
 * id (`plainDeposit`), or a run of the router that ends in a deposit.
 */
export type DepositStep = 'deposit' | 'plainDeposit' | 'routedDeposit'

/**
 * What a swap of the user's own is: a run of the router that ends in payments, a call of the wrapped native
 * currency, or a plain payment to the recipient (`send`).
 */
export type SwapStep = 'routedSwap' | 'wrap' | 'unwrap' | 'send'

export function depositStepOf({ leg, explicitDeposit }: Funding): DepositStep {
  if (!isSameCurrency(leg.input.currency, leg.output.currency)) return 'routedDeposit'
  return explicitDeposit ? 'deposit' : 'plainDeposit'
}

export function swapStepOf({ operation, order, fees }: Price): SwapStep {
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
