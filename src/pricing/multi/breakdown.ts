import { keptOf } from '#src/pricing/fees/multiRelayFees.ts'
import type { MultiPrice } from '#src/pricing/multiPrice.ts'
import { secondsAcross } from '#src/pricing/summary/summary.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { MultiCrossing } from './multiCrossing.ts'

/**
 * Divides the output by when the deposits that pay for it arrive: in proportion to what they pay for, rounded down, the last
 * to arrive with what that leaves.
 */
export function breakdownOf(
  { bridge, gathered }: MultiCrossing,
  output: Amount,
): MultiPrice['breakdown'] {
  const { market: destination } = bridge.task
  const keptBy = new Map<number, bigint>()
  for (const each of gathered) {
    const seconds = secondsAcross({ origin: each.source.market, destination })
    keptBy.set(seconds, (keptBy.get(seconds) ?? 0n) + keptOf(each))
  }
  const arrivals = [...keptBy].toSorted(([one], [other]) => one - other)
  const total = arrivals.reduce((sum, [, kept]) => sum + kept, 0n)
  let given = 0n
  return arrivals.map(([timeEstimate, kept], at) => {
    const isLast = at === arrivals.length - 1
    const value = isLast ? output - given : (output * kept) / total
    given += value
    return { value: toAmount(value), timeEstimate }
  })
}
