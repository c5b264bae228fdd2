import type { ChainMarket } from '#src/pricing/market.ts'
import type { Order } from '#src/pricing/order.ts'
import type { Amount } from '#src/units/amount.ts'
import { type Currency, isNative, isSameCurrency } from '#src/units/currency.ts'
import { depositUsd } from './timeEstimate.ts'

/**
 * Whether a deposit calls the depository. An ERC-20 does so above `unrecordedLimitUsd` or without a price, whatever the
 * order asks for: the depository keeps no record of a plain transfer, and the solver refunds larger ones.
 */
export function isExplicit(
  { explicitDeposit }: Pick<Order, 'explicitDeposit'>,
  origin: ChainMarket,
  deposit: Currency,
  amount: Amount,
): boolean {
  if (explicitDeposit) return true
  // The depository records native payments however they are made.
  if (isNative(deposit.address)) return false
  const usd = depositUsd(origin, deposit, amount)
  return usd === undefined || usd > origin.chain.depositPolicy.unrecordedLimitUsd
}

/** Whether a deposit is a plain ERC-20 transfer, of which the depository keeps no record. */
export const isUnrecorded = (
  [input, deposit]: readonly [Currency, Currency],
  explicitDeposit: boolean,
): boolean => !(explicitDeposit || isNative(deposit.address)) && isSameCurrency(input, deposit)
