import type { Currency } from '#src/units/currency.ts'
import type { CurrencyFilter } from './operations.ts'

/** Those of `currencies` that pass the filter: by chain, native first, then verified, then by symbol. */
export const searchCurrencies = (
  currencies: Iterable<Currency>,
  filter: CurrencyFilter,
): readonly Currency[] => [...currencies].filter((each) => passes(each, filter)).sort(byRank)

function passes(
  currency: Currency,
  { chainIds, term, address, verified }: CurrencyFilter,
): boolean {
  if (chainIds !== undefined && !chainIds.includes(currency.chainId)) return false
  if (address !== undefined && currency.address !== address) return false
  if (verified !== undefined && currency.metadata.verified !== verified) return false
  if (term === undefined) return true
  const wanted = term.trim().toLowerCase()
  return (
    currency.address === wanted ||
    currency.symbol.toLowerCase().includes(wanted) ||
    currency.name.toLowerCase().includes(wanted)
  )
}

function byRank(one: Currency, other: Currency): number {
  return (
    one.chainId - other.chainId ||
    Number(other.metadata.isNative) - Number(one.metadata.isNative) ||
    Number(other.metadata.verified) - Number(one.metadata.verified) ||
    order(one.symbol, other.symbol) ||
    order(one.address, other.address)
  )
}

/** By code units: the same on every machine, whatever its locale. */
const order = (one: string, other: string): number => Number(one > other) - Number(one < other)
