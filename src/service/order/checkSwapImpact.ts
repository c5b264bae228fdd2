import { AppError, type ErrorData } from '#src/core/errors.ts'
import { type Bps, wholeBps } from '#src/core/units/bps.ts'
import type { QuotedPrice } from '#src/protocol/order/quotedPrice.ts'

/** Millionths of a US dollar. Smaller losses are ignored: they may consist of rounding only. */
const minLoss = 10_000n

/**
 * Refuses an order whose swaps lose too much value. The sponsor's part of the fees does not count as a gain.
 * @param maxLoss largest accepted loss, as a share of the input's value.
 * @param advice what the caller can do, in whole sentences.
 * @throws AppError SWAP_IMPACT_TOO_HIGH with `facts`.
 */
export function checkSwapImpact(
  { swapImpact, currencyIn, fees }: Pick<QuotedPrice, 'swapImpact' | 'currencyIn' | 'fees'>,
  maxLoss: Bps,
  advice: string,
  facts: ErrorData = {},
): void {
  if (swapImpact === undefined || currencyIn.usd === undefined) return
  const impact = swapImpact.usd - (fees.subsidized.usd ?? 0n)
  if (impact > -minLoss || impact * wholeBps >= -maxLoss * currencyIn.usd) return
  const percent = ((Number(impact) / Number(currencyIn.usd)) * 100).toFixed(2)
  throw new AppError('SWAP_IMPACT_TOO_HIGH', `Swap impact is too high: ${percent}%. ${advice}`, {
    swapImpact: { percent },
    maxPercent: (Number(-maxLoss) / 100).toFixed(2),
    ...facts,
  })
}
