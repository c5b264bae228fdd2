import { type Gathered, keptOf } from '#src/pricing/fees/multiRelayFees.ts'
import { transactionCost } from '#src/pricing/gas/gas.ts'
import { depositTransaction, type LegShape, shapeOf } from '#src/pricing/gas/transactionSize.ts'
import type { Currency } from '#src/units/currency.ts'
import { type UsdPrice, usdPriceDecimals } from '#src/units/usd.ts'
import type { Source } from './bridgeOrigin.ts'

/** What a division of an output among origins is judged by, beside what the origins themselves are. */
export type Terms = Readonly<{
  /** Of the payout currency. */
  payoutPrice: UsdPrice
  originGasOverhead: bigint
}>

/** US dollars, to compare by: nothing is paid by them. */
export const dollars = (amount: bigint | number, { decimals }: Currency, price: UsdPrice): number =>
  (Number(amount) / 10 ** decimals) * (Number(price) / 10 ** usdPriceDecimals)

/** What is paid in: by its feed or its pools, and where neither tells, what it pays for. */
export function usdIn({ source, leg }: Gathered, { payoutPrice }: Terms): number {
  const { origin, market, payout } = source
  const price = market.usdPrices.get(origin.currency.address)
  return price === undefined
    ? dollars(keptOf({ source, leg }), payout, payoutPrice)
    : dollars(leg.amountIn, origin.currency, price)
}

/** The gas of a deposit's transaction; 0 where a price is missing. */
export function gasOf({ market }: Source, leg: LegShape, { originGasOverhead }: Terms): number {
  const { gas, bytes } = depositTransaction(leg, true)
  const wei = transactionCost(market.gas, { gas: gas + originGasOverhead, bytes })
  const { native } = market.chain
  const price = market.usdPrices.get(native.address)
  return price === undefined ? 0 : dollars(wei, native, price)
}

/** What one origin takes from its account, gas included. */
export const costOf = (gathered: Gathered, terms: Terms): number =>
  usdIn(gathered, terms) + gasOf(gathered.source, shapeOf(gathered.leg), terms)
