import { AppError } from '#src/core/errors.ts'
import { type Bps, wholeBps } from '#src/core/units/bps.ts'
import type { ShownPrice } from '#src/service/operations.ts'

/** Millionths of a US dollar. Flat fees make small amounts lose a large share. */
const minLoss = 1_000_000n

/**
 * Refuses a quote whose promised minimum loses too much value. Fees are no excuse, because the service states them
 * itself.
 * @param maxLoss largest accepted loss, as a share of the input's value
 * @throws AppError SWAP_IMPACT_TOO_HIGH
 */
export function checkLoss(
  { currencyIn, currencyOut }: Pick<ShownPrice, 'currencyIn' | 'currencyOut'>,
  maxLoss: Bps,
): void {
  if (currencyIn.usd === undefined || currencyOut.usd === undefined) return
  const minUsd = (currencyOut.usd * currencyOut.minimumAmount) / currencyOut.amount
  const loss = currencyIn.usd - minUsd
  if (loss <= minLoss || loss * wholeBps <= maxLoss * currencyIn.usd) return
  const percent = ((Number(-loss) / Number(currencyIn.usd)) * 100).toFixed(2)
  throw new AppError(
    'SWAP_IMPACT_TOO_HIGH',
    `The upstream service’s quote loses too much: ${percent}%. Swap another amount, or set overridePriceImpact.`,
    { swapImpact: { percent }, maxPercent: (Number(-maxLoss) / 100).toFixed(2) },
  )
}
