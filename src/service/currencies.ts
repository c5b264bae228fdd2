import { AppError } from '#src/core/errors.ts'
import type { ChainPrices } from '#src/core/pricing/market.ts'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { UsdPrice } from '#src/core/units/usd.ts'
import type { CurrencyFilter } from './answers.ts'

/** Reason why orders with a currency are always refused; `undefined` if they are not. */
type Refusal = (chainId: ChainId, address: Account) => string | undefined

/**
 * The currencies that match a filter. Ordered by chain id; refused ones last; then native, then verified ones first;
 * then by symbol.
 */
export const searchCurrencies = (
  currencies: Iterable<Currency>,
  filter: CurrencyFilter,
  refusal: Refusal,
): readonly Currency[] => {
  const isRefused = ({ chainId, address }: Currency) => refusal(chainId, address) !== undefined
  return [...currencies]
    .map((each) => withoutRefused(each, refusal))
    .filter((each) => matches(each, filter))
    .sort(
      (one, other) =>
        one.chainId - other.chainId ||
        Number(isRefused(one)) - Number(isRefused(other)) ||
        byRank(one, other),
    )
}

/** Returns the currency. If it is always refused, it is not verified, even if a token list verifies it. */
export const withoutRefused = (currency: Currency, refusal: Refusal): Currency =>
  currency.metadata.verified && refusal(currency.chainId, currency.address) !== undefined
    ? { ...currency, metadata: { ...currency.metadata, verified: false } }
    : currency

function matches(
  currency: Currency,
  { chainIds, term, address, addresses, verified }: CurrencyFilter,
): boolean {
  if (chainIds !== undefined && !chainIds.includes(currency.chainId)) return false
  if (address !== undefined && currency.address !== address) return false
  if (addresses !== undefined && !addresses.includes(currency.address)) return false
  if (verified !== undefined && currency.metadata.verified !== verified) return false
  if (term === undefined) return true
  const text = term.trim().toLowerCase()
  return (
    currency.address === text ||
    currency.symbol.toLowerCase().includes(text) ||
    currency.name.toLowerCase().includes(text)
  )
}

function byRank(one: Currency, other: Currency): number {
  return (
    Number(other.metadata.isNative) - Number(one.metadata.isNative) ||
    Number(other.metadata.verified) - Number(one.metadata.verified) ||
    order(one.symbol, other.symbol) ||
    order(one.address, other.address)
  )
}

/** By UTF-16 code units, so that the order does not depend on the locale. */
const order = (one: string, other: string): number => Number(one > other) - Number(one < other)

/**
 * US dollars for one whole unit of a currency on the chain of `market`; `undefined` if it has no price.
 * @throws AppError SERVICE_UNAVAILABLE before the first snapshot of the market.
 */
export function usdPriceOf(
  market: ChainPrices | undefined,
  currency: Account,
): UsdPrice | undefined {
  if (market === undefined)
    throw new AppError('SERVICE_UNAVAILABLE', 'The market of this chain is not loaded yet')
  return market.usdPrices.get(currency)
}
