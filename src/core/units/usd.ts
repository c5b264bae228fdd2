import { type Amount, toAmount } from './amount.ts'
import { mulDivDown, mulDivUp, powerOfTen } from './arithmetic.ts'
import type { Branded } from './brand.ts'

/** US dollars in millionths, possibly negative. Every reported USD figure is in this unit. */
export type Usd = Branded<bigint, 'Usd'>

/** Price of one whole unit of a currency in US dollars, times 10^18; positive. */
export type UsdPrice = Branded<bigint, 'UsdPrice'>

/** `10 ** usdPriceDecimals` is one dollar in a `UsdPrice`. */
export const usdPriceDecimals = 18

export const toUsd = (millionths: bigint): Usd => millionths as Usd

/** @throws RangeError unless positive. */
export function toUsdPrice(value: bigint): UsdPrice {
  if (value <= 0n) throw new RangeError(`A USD price must be positive: ${value}`)
  return value as UsdPrice
}

/** `10 ** millionthDecimals` is a millionth of a dollar in a `UsdPrice`. */
const millionthDecimals = 12

/** The value of `amount` in US dollars, rounded down to a millionth. */
export const usdValueDown = (amount: Amount, decimals: number, price: UsdPrice): Usd =>
  toUsd((amount * price) / powerOfTen(decimals + millionthDecimals))

/**
 * The value of an amount, possibly negative, in US dollars, rounded down to a millionth: a loss is never shown smaller.
 */
export function usdValueFloor(amount: bigint, decimals: number, price: UsdPrice): Usd {
  const divisor = powerOfTen(decimals + millionthDecimals)
  const product = amount * price
  const quotient = product / divisor
  return toUsd(product < 0n && quotient * divisor !== product ? quotient - 1n : quotient)
}

/** The smallest amount of a currency with at least the value `usd`, which is not negative: rounded up. */
export const amountForUsdUp = (usd: Usd, decimals: number, price: UsdPrice): Amount =>
  toAmount(mulDivUp(usd, powerOfTen(decimals + millionthDecimals), price))

/** The largest amount of a currency with at most the value `usd`, which is not negative: rounded down. */
export const amountForUsdDown = (usd: Usd, decimals: number, price: UsdPrice): Amount =>
  toAmount(mulDivDown(usd, powerOfTen(decimals + millionthDecimals), price))

/** Decimals and price of a currency. */
export type UsdQuoted = Readonly<{ decimals: number; price: UsdPrice }>

/** The amount of the currency `to` with the value of `amount` of the currency `from`, rounded down. */
export const convertDown = (amount: Amount, from: UsdQuoted, to: UsdQuoted): Amount =>
  toAmount(
    mulDivDown(amount, from.price * powerOfTen(to.decimals), to.price * powerOfTen(from.decimals)),
  )

/** Like `convertDown`, rounded up. */
export const convertUp = (amount: Amount, from: UsdQuoted, to: UsdQuoted): Amount =>
  toAmount(
    mulDivUp(amount, from.price * powerOfTen(to.decimals), to.price * powerOfTen(from.decimals)),
  )

/** A float value in US dollars, to compare alternatives; never part of an answer. */
export const approximateUsd = (amount: bigint | number, { decimals, price }: UsdQuoted): number =>
  (Number(amount) / 10 ** decimals) * (Number(price) / 10 ** usdPriceDecimals)

/** A float conversion between two currencies, to guide a search; never part of an answer. */
export const approximateConversion = (amount: number, from: UsdQuoted, to: UsdQuoted): number =>
  (amount * Number(from.price) * 10 ** (to.decimals - from.decimals)) / Number(to.price)

/** Decimal text in dollars, always with six decimals, such as `"-0.027900"`. */
export function formatUsd(usd: Usd): string {
  const magnitude = usd < 0n ? -usd : usd
  const fraction = (magnitude % 1_000_000n).toString().padStart(6, '0')
  return `${usd < 0n ? '-' : ''}${magnitude / 1_000_000n}.${fraction}`
}
