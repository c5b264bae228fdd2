import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { Price } from '#src/core/pricing/price.ts'
import type { Bps } from '#src/core/units/bps.ts'
import type { Usd } from '#src/core/units/usd.ts'
import type { SwapInput } from '#src/service/input/quoteInput.ts'
import { checkOpen, checkOpenRefund, isOpen } from '#src/service/order/addressChecks.ts'
import type { CheckDeps } from '#src/service/order/orderChecks.ts'
import { checkPayout, checkSwapImpact, checkUnsignedSwap } from '#src/service/order/priceChecks.ts'
import { depositoryOn } from './prepareQuote.ts'

export type RefusalDeps = CheckDeps &
  Readonly<{
    /** Largest accepted loss of the swaps, as a share of the input's value. */
    maxSwapImpact: Bps
    /** The operator's limit of the payout of one request; undefined without one. */
    maxPayoutUsd: Usd | undefined
  }>

/**
 * The checks that only a quote makes once the order is priced. They read nothing.
 * @throws AppError SOLVER_CAPACITY_EXCEEDED; INVALID_REQUEST; SWAP_IMPACT_TOO_HIGH; PRICE_FETCH_FAILED
 */
export function checkQuotable(
  { maxSwapImpact: maxLoss, maxPayoutUsd, knownCurrency: currencyOf }: RefusalDeps,
  request: SwapInput,
  priced: Price,
  market: Market,
): void {
  checkPayout(priced, maxPayoutUsd)
  checkOpenRefund(request, priced)
  if (request.overridePriceImpact === true) return
  checkSwapImpact(priced, maxLoss, 'Swap a smaller amount, or set overridePriceImpact.')
  if (!isOpen(request)) return
  const advice = 'Set strict, or overridePriceImpact.'
  checkUnsignedSwap(priced, market, { maxLoss, advice, currencyOf })
}

/** The error of a quote of the same input on the same market, as far as it is known without reads. */
export function refusalOf(
  deps: RefusalDeps,
  request: SwapInput,
  priced: Price,
  market: Market,
): AppError | undefined {
  try {
    checkOpen(request)
    checkQuotable(deps, request, priced, market)
    const paidOn = priced.pricedOrigins.map(({ leg }) => leg.input.currency.chainId)
    for (const chainId of [...paidOn, priced.currencyOut.currency.chainId])
      depositoryOn(deps, chainId)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
