import { AppError } from '#src/errors.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { Address } from '#src/units/address.ts'
import type { UsdPrice } from '#src/units/usd.ts'

/**
 * US dollars for one whole unit of a currency of the market's chain; `undefined` where nothing prices it.
 * @throws AppError SERVICE_UNAVAILABLE while there is no market yet.
 */
export function usdPrice(
  market: Pick<ChainMarket, 'usdPrices'> | undefined,
  currency: Address,
): UsdPrice | undefined {
  if (market === undefined)
    throw new AppError('SERVICE_UNAVAILABLE', 'The market of this chain is still being read')
  return market.usdPrices.get(currency)
}
