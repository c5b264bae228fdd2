import { AppError } from '#src/core/errors.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { type Market, marketOf } from './market.ts'

type InputField = Readonly<{ side: 'origin' | 'destination'; field: string }>

/**
 * Rejects a currency that is not supported on its chain.
 * @param named the input field with the currency.
 * @throws AppError UNSUPPORTED_CURRENCY
 */
export function refuseCurrency(market: Market, currency: Currency, named: InputField): void {
  const reason = marketOf(market, currency).refusedCurrencies.get(currency.address)
  if (reason !== undefined) throw new UnsupportedCurrencyError(currency, named, reason)
}

/** The currency is not supported, for example because its transfers do not move the stated amount. */
class UnsupportedCurrencyError extends AppError {
  constructor({ symbol, chainId, address }: Currency, { side, field }: InputField, reason: string) {
    super(
      'UNSUPPORTED_CURRENCY',
      `${symbol} on chain ${chainId} (${field}) is not supported: ${reason}`,
      { side, field, chainId, currency: address },
    )
  }
}
