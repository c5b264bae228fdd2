import { AppError } from '#src/core/errors.ts'
import { type Market, marketOf } from '#src/core/pricing/market.ts'
import { impactsOf } from '#src/core/pricing/summary/summary.ts'
import type { Address } from '#src/core/units/address.ts'
import type { Bps } from '#src/core/units/bps.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { usdValueDown } from '#src/core/units/usd.ts'
import { independentPrice } from '#src/market/prices/independentPrice.ts'
import type { QuotedPrice } from '#src/protocol/order/quotedPrice.ts'
import { checkSwapImpact } from './checkSwapImpact.ts'

type Terms = Readonly<{
  /** Largest accepted loss, as a share of the input's value. */
  maxLoss: Bps
  /** What the caller can do, in whole sentences. */
  advice: string
  currencyOf: (chainId: ChainId, address: Address) => Currency | undefined
}>

/**
 * `checkSwapImpact` for a payment whose minimum output nobody signs: the value of the output must be known, and not from
 * one pool alone.
 * @throws AppError SWAP_IMPACT_TOO_HIGH; PRICE_FETCH_FAILED if the impact is unknown.
 */
export function checkUnsignedSwap(
  priced: Pick<QuotedPrice, 'destination' | 'swapImpact' | 'currencyIn' | 'currencyOut' | 'fees'>,
  market: Market,
  { maxLoss, advice, currencyOf }: Terms,
): void {
  if (priced.destination.route === undefined) return
  const { currencyIn, currencyOut, fees } = priced
  const { currency, amount } = currencyOut
  const decimalsOf = (address: Address) => currencyOf(currency.chainId, address)?.decimals
  const price = independentPrice(marketOf(market, currency), currency.address, decimalsOf)
  const usd = price && usdValueDown(amount, currency.decimals, price)
  const { swapImpact } = impactsOf(currencyIn, { ...currencyOut, usd }, fees)
  if (swapImpact === undefined) throw new UnknownImpactError(currency, usd !== undefined, advice)
  checkSwapImpact({ ...priced, swapImpact }, maxLoss, advice)
}

class UnknownImpactError extends AppError {
  constructor({ symbol, chainId, address }: Currency, isPriced: boolean, advice: string) {
    const reason = isPriced
      ? 'the input or a fee has no price'
      : `${symbol} on chain ${chainId} has neither a price feed nor two deep pools`
    super('PRICE_FETCH_FAILED', `The swap impact is unknown: ${reason}. ${advice}`, {
      chainId,
      currency: address,
    })
  }
}
