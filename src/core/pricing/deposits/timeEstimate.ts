import type { ChainMarket, ChainPrices } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { type Currency, isNative, isSameCurrency } from '#src/core/units/currency.ts'
import { type Usd, usdValueDown } from '#src/core/units/usd.ts'
import { depositDepth } from './depositDepth.ts'

/** The value of an amount at the chain's prices, rounded down; undefined without a price. */
export function depositUsd(
  { usdPrices }: ChainPrices,
  { address, decimals }: Pick<Currency, 'address' | 'decimals'>,
  amount: Amount,
): Usd | undefined {
  const price = usdPrices.get(address)
  return price === undefined ? undefined : usdValueDown(amount, decimals, price)
}

/**
 * Seconds from the broadcast of deposits worth `usd` together to the payment. The deposits are mined and reach the
 * depth that their value needs; then the fill is mined in the next block. Deposits without a record must be final.
 */
export function secondsAcross(
  { origin, destination }: Readonly<{ origin: ChainMarket; destination: ChainMarket }>,
  usd: Usd | undefined,
  { isUnrecorded = false }: Readonly<{ isUnrecorded?: boolean }> = {},
): number {
  const depth = isUnrecorded
    ? 'final'
    : // The payer is unknown before the deposit: it may be another account than the user.
      depositDepth(origin.chain.depositPolicy, usd, { usd: origin.exposedUsd, ofPayerUsd: 0n })
  const blocks = 1 + (depth === 'final' ? origin.finality.blocks : depth)
  return Math.ceil(blocks * origin.chain.blockSeconds + destination.chain.blockSeconds)
}

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
