import { AppError, type ErrorData } from '#src/core/errors.ts'
import { scheduledBps } from '#src/core/pricing/fees/relayFees.ts'
import { type Market, marketOf } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { impactsOf } from '#src/core/pricing/summary/summary.ts'
import type { Account } from '#src/core/units/address.ts'
import { type Bps, wholeBps } from '#src/core/units/bps.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { formatUsd, toUsd, type Usd, usdValueDown } from '#src/core/units/usd.ts'
import { independentPrice } from '#src/market/prices/usdPrices.ts'
import { isUserSwap, type QuotedPrice } from '#src/protocol/order/quotedPrice.ts'
import type { Caller } from '#src/service/callers.ts'
import { FieldError } from '#src/service/input/fieldError.ts'

/** Millionths of a US dollar. Smaller losses are ignored: they may consist of rounding only. */
const minLoss = 10_000n

type Loss = Readonly<{
  /** Negative for a gain. */
  loss: bigint
  /** The value of the input. */
  of: Usd
}>

type SwapValues = Pick<QuotedPrice, 'swapImpact' | 'currencyIn' | 'fees'>

const noLoss: Loss = { loss: 0n, of: toUsd(0n) }

/**
 * The value that the swaps lose; `undefined` without prices. The sponsor's part of the fees does not count as a gain.
 */
export function swapLossOf({ swapImpact, currencyIn, fees }: SwapValues): Loss | undefined {
  if (swapImpact === undefined || currencyIn.usd === undefined) return undefined
  return { loss: (fees.subsidized.usd ?? 0n) - swapImpact.usd, of: currencyIn.usd }
}

/**
 * Refuses an order whose swaps lose too much value.
 * @param maxLoss largest accepted loss, as a share of the input's value.
 * @param advice what the caller can do, in whole sentences.
 * @throws AppError SWAP_IMPACT_TOO_HIGH with `facts`.
 */
export function checkSwapImpact(
  price: SwapValues,
  maxLoss: Bps,
  advice: string,
  facts: ErrorData = {},
): void {
  const { loss, of } = swapLossOf(price) ?? noLoss
  if (loss < minLoss || loss * wholeBps <= maxLoss * of) return
  const percent = ((Number(-loss) / Number(of)) * 100).toFixed(2)
  throw new AppError('SWAP_IMPACT_TOO_HIGH', `Swap impact is too high: ${percent}%. ${advice}`, {
    swapImpact: { percent },
    maxPercent: (Number(-maxLoss) / 100).toFixed(2),
    ...facts,
  })
}

/**
 * Refuses an order that pays out more than the operator allows for one request: the solver would refund it. A payout
 * without a price in US dollars passes, because its fill waits for the price.
 * @throws AppError SOLVER_CAPACITY_EXCEEDED
 */
export function checkPayout(price: QuotedPrice, maxPayoutUsd: Usd | undefined): void {
  const { usd } = price.destination.input
  if (isUserSwap(price) || maxPayoutUsd === undefined || usd === undefined) return
  if (usd <= maxPayoutUsd) return
  const [payout, max] = [formatUsd(usd), formatUsd(maxPayoutUsd)]
  throw new AppError(
    'SOLVER_CAPACITY_EXCEEDED',
    `The solver pays out at most $${max} for one request, and this one needs $${payout}. Swap a smaller amount.`,
    { payoutUsd: payout, maxPayoutUsd: max },
  )
}

type Terms = Readonly<{
  /** Largest accepted loss, as a share of the input's value. */
  maxLoss: Bps
  /** What the caller can do, in whole sentences. */
  advice: string
  currencyOf: (chainId: ChainId, address: Account) => Currency | undefined
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
  const decimalsOf = (address: Account) => currencyOf(currency.chainId, address)?.decimals
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

/**
 * The solver bears a rate below its fee schedule, so only API keys with `discounts` may ask for one.
 * @throws FixedRateTooLowError
 */
export function checkFixedRate(
  { fixedRate, origin, destination }: Pick<Order, 'fixedRate' | 'origin' | 'destination'>,
  market: Market,
  caller: Caller | undefined,
): void {
  if (fixedRate === undefined || caller?.discounts === true) return
  const least = scheduledBps(market, origin, destination)
  if (fixedRate < least) throw new FixedRateTooLowError(fixedRate, least)
}

/** The fixed rate is below the fee schedule, and the caller has no right to that. */
class FixedRateTooLowError extends FieldError {
  constructor(asked: Bps, least: Bps) {
    const problem = `${asked} bps is less than the ${least} bps of the fee schedule; only an API key with discounts may go below`
    super('FORBIDDEN', ['fixedRate'], problem, { least: least.toString() })
  }
}
