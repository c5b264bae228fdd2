import { AppError, type ErrorData } from '#src/errors.ts'
import type { QuotedPrice } from '#src/execution/order/quotedPrice.ts'
import { type Bps, wholeBps } from '#src/units/bps.ts'

/** Millionths of a dollar: of a smaller loss, what rounding makes of it may be most. */
const leastLoss = 10_000n

/**
 * What a sponsor pays makes no swap any better.
 * @param most of the input's worth that swaps may lose.
 * @param advice what a caller can do about it, in whole sentences.
 * @throws AppError SWAP_IMPACT_TOO_HIGH with `facts`.
 */
export function checkImpact(
  { swapImpact, currencyIn, fees }: Pick<QuotedPrice, 'swapImpact' | 'currencyIn' | 'fees'>,
  most: Bps,
  advice: string,
  facts: ErrorData = {},
): void {
  if (swapImpact === undefined || currencyIn.usd === undefined) return
  const impact = swapImpact.usd - (fees.subsidized.usd ?? 0n)
  if (impact > -leastLoss || impact * wholeBps >= -most * currencyIn.usd) return
  const percent = ((Number(impact) / Number(currencyIn.usd)) * 100).toFixed(2)
  throw new AppError('SWAP_IMPACT_TOO_HIGH', `Swap impact is too high: ${percent}%. ${advice}`, {
    swapImpact: { percent },
    maxPercent: (Number(-most) / 100).toFixed(2),
    ...facts,
  })
}
