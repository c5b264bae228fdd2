import { appFeeShares } from '#src/pricing/fees/relayFees.ts'
import type { MultiPrice } from '#src/pricing/multiPrice.ts'
import type { TradeType } from '#src/pricing/order.ts'
import type { CurrencyAmount, Price } from '#src/pricing/price.ts'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'

/** What is executed: a price that one account pays for, or one that several may. */
export type QuotedPrice = Price | MultiPrice

/** Several accounts may pay; else one does. */
export const isMulti = (price: QuotedPrice): price is MultiPrice => !('execution' in price)

/** Whether the user swaps alone, on one chain; else the solver fills. */
export const isUserSwap = (price: QuotedPrice): price is Price =>
  !isMulti(price) && price.execution === 'user'

export function tradeTypeOf(price: QuotedPrice): TradeType {
  if (!isMulti(price)) return price.order.tradeType
  return price.order.output === undefined ? 'EXACT_INPUT' : 'EXACT_OUTPUT'
}

/** Who gets how much of the app fees; multi-input orders have none. */
export const appFeesOf = (
  price: QuotedPrice,
): readonly Readonly<{ recipient: Address; amount: Amount }>[] =>
  isMulti(price) ? [] : appFeeShares(price.order.appFees, price.fees.app.amount)

/** Native currency that the recipient gets on top; undefined where none was asked for. */
export const topupOf = (price: QuotedPrice): CurrencyAmount | undefined =>
  isMulti(price) ? undefined : price.currencyGasTopup
