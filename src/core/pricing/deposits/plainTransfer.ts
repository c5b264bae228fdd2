import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { type Currency, isNative, isSameCurrency } from '#src/core/units/currency.ts'
import { depositUsd } from './timeEstimate.ts'

/**
 * Whether a deposit calls the depository. An ERC-20 deposit above `unrecordedLimitUsd` or without a price does so, even
 * if the order asks for a plain transfer: the depository does not record plain transfers, and the solver refunds larger
 * ones.
 */
export function isExplicit(
  { explicitDeposit }: Pick<Order, 'explicitDeposit'>,
  origin: ChainMarket,
  deposit: Currency,
  amount: Amount,
): boolean {
  if (explicitDeposit) return true
  // The depository records every native payment.
  if (isNative(deposit.address)) return false
  const usd = depositUsd(origin, deposit, amount)
  return usd === undefined || usd > origin.chain.depositPolicy.unrecordedLimitUsd
}

/** Whether a deposit is a plain ERC-20 transfer, which the depository does not record. */
export const isUnrecorded = (
  [input, deposit]: readonly [Currency, Currency],
  explicitDeposit: boolean,
): boolean => !(explicitDeposit || isNative(deposit.address)) && isSameCurrency(input, deposit)
