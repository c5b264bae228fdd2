import type { TransactionSize } from '#src/pricing/gas/gas.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { SolverRequest } from '#src/solver/solverRequest.ts'
import { nativeAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { usdOf } from '#src/units/usd.ts'
import type { Budget } from './payoutBudget.ts'

/** What a quote reckons with may be exceeded by as much, and by what our contracts take where it reckons with none. */
const gasTolerance = { times: 2n, plus: 200_000n }

/** The gas limit that a fill never exceeds: recipients and the order's calls are contracts of anybody's. */
export const mostGasOf = ({ gas }: TransactionSize): bigint =>
  gasTolerance.times * gas + gasTolerance.plus

/** A quote is good for days: gas may have become as much dearer since, and by a dollar where it is next to nothing. */
const costTolerance = { times: 4n, plusUsd: 1_000_000n }

/** Whether gas and what is paid on top, `wei` together, are far from what the quote kept for them. */
export function costsTooMuch(
  { subsidizedUsd }: Pick<SolverRequest, 'subsidizedUsd'>,
  { payout, reckoned }: Pick<Budget, 'payout' | 'reckoned'>,
  { chain: { native }, usdPrices }: ChainMarket,
  wei: bigint,
): boolean {
  const nativePrice = usdPrices.get(nativeAddress)
  const price = usdPrices.get(payout.address)
  if (nativePrice === undefined || price === undefined) return false
  const kept = usdOf(reckoned, payout.decimals, price) + subsidizedUsd
  const cost = usdOf(toAmount(wei), native.decimals, nativePrice)
  return cost > costTolerance.times * kept + costTolerance.plusUsd
}
