import { AppError } from '#src/errors.ts'
import type { Currency } from '#src/units/currency.ts'
import { type Market, marketOf } from './market.ts'

type InputField = Readonly<{ side: 'origin' | 'destination'; field: string }>

/**
 * Rejects a currency that its chain cannot price.
 * @param named the input field that names the currency.
 * @throws AppError UNSUPPORTED_CURRENCY
 */
export function refuseCurrency(market: Market, currency: Currency, named: InputField): void {
  const reason = marketOf(market, currency).refusedCurrencies.get(currency.address)
  if (reason !== undefined) throw new UnsupportedCurrencyError(currency, named, reason)
}

/** Transfers of the currency do not move the stated amount. */
class UnsupportedCurrencyError extends AppError {
  constructor({ symbol, chainId, address }: Currency, { side, field }: InputField, reason: string) {
    super(
      'UNSUPPORTED_CURRENCY',
      `${symbol} on chain ${chainId} (${field}) is not supported: ${reason}`,
      { side, field, chainId, currency: address },
    )
  }
}
