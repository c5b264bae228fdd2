import { type Amount, toAmount } from './amount.ts'
import type { Branded } from './brand.ts'
import { mulDivUp } from './mulDiv.ts'

/** US dollars in millionths, possibly negative: what every reported USD figure is counted in. */
export type Usd = Branded<bigint, 'Usd'>

/** US dollars for one whole unit of a currency, times 10^18; positive. */
export type UsdPrice = Branded<bigint, 'UsdPrice'>

/** `10 ** usdPriceDecimals` is one dollar in a `UsdPrice`. */
export const usdPriceDecimals = 18

export const toUsd = (millionths: bigint): Usd => millionths as Usd

/** @throws RangeError unless positive. */
export function toUsdPrice(value: bigint): UsdPrice {
  if (value <= 0n) throw new RangeError(`No price: ${value}`)
  return value as UsdPrice
}

const millionth = 10n ** 12n

/** What `amount` of a currency with `decimals` is worth, rounded down to a millionth of a dollar. */
export const usdOf = (amount: Amount, decimals: number, price: UsdPrice): Usd =>
  toUsd((amount * price) / (10n ** BigInt(decimals) * millionth))

/** The least amount of a currency that is worth `usd`: rounded up. `usd` is not negative. */
export const amountWorth = (usd: Usd, decimals: number, price: UsdPrice): Amount =>
  toAmount(mulDivUp(usd, 10n ** BigInt(decimals) * millionth, price))

/** Always six decimals, such as `"-0.027900"`. */
export function formatUsd(usd: Usd): string {
  const magnitude = usd < 0n ? -usd : usd
  const fraction = (magnitude % 1_000_000n).toString().padStart(6, '0')
  return `${usd < 0n ? '-' : ''}${magnitude / 1_000_000n}.${fraction}`
}
