import { appFeeShares } from '#src/core/pricing/fees/relayFees.ts'
import type { TradeType } from '#src/core/pricing/order.ts'
import type { CurrencyAmount, MultiPrice, Price } from '#src/core/pricing/price.ts'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'

/** A price with one origin, or with several. */
export type QuotedPrice = Price | MultiPrice

/** Whether the price may have several origins, each with its own paying account. */
export const isMulti = (price: QuotedPrice): price is MultiPrice => !('execution' in price)

/** Whether the user's own transactions execute the price on one chain. Otherwise, the solver fills it. */
export const isUserSwap = (price: QuotedPrice): price is Price =>
  !isMulti(price) && price.execution === 'user'

export function tradeTypeOf(price: QuotedPrice): TradeType {
  if (!isMulti(price)) return price.order.tradeType
  return price.order.output === undefined ? 'EXACT_INPUT' : 'EXACT_OUTPUT'
}

/** Shares of the app fees, in the deposited currency. They add up to all app fees. Multi-input orders have none. */
export const appFeesOf = (
  price: QuotedPrice,
): readonly Readonly<{ recipient: Account; amount: Amount }>[] =>
  isMulti(price) ? [] : appFeeShares(price.order.appFees, price.fees.app.amount)

/** Native currency for the recipient in addition to the output. Undefined if the order requests none. */
export const topupOf = (price: QuotedPrice): CurrencyAmount | undefined =>
  isMulti(price) ? undefined : price.currencyGasTopup
