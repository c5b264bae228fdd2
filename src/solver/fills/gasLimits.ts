import type { TransactionSize } from '#src/pricing/gas/gas.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { nativeAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { usdValueDown } from '#src/units/usd.ts'
import type { Budget } from './payoutBudget.ts'

/** How far a fill may exceed the quoted gas. The constant covers our contracts where the quote has no gas for them. */
const gasTolerance = { times: 2n, plus: 200_000n }

/** The gas limit that a fill never exceeds: the recipient and the targets of the order's calls may be any contract. */
export const maxGasOf = ({ gas }: TransactionSize): bigint =>
  gasTolerance.times * gas + gasTolerance.plus

/** A quote is valid for days: how much more expensive gas may become. The constant of one dollar covers tiny costs. */
const costTolerance = { times: 4n, plusUsd: 1_000_000n }

/** Whether gas and top-up together, in wei, are far more than the quote reserved for them. */
export function costsTooMuch(
  { subsidizedUsd }: Pick<SolverRequest, 'subsidizedUsd'>,
  { payout, reserved }: Pick<Budget, 'payout' | 'reserved'>,
  { chain: { native }, usdPrices }: ChainMarket,
  wei: bigint,
): boolean {
  const nativePrice = usdPrices.get(nativeAddress)
  const price = usdPrices.get(payout.address)
  if (nativePrice === undefined || price === undefined) return false
  const reservedUsd = usdValueDown(reserved, payout.decimals, price) + subsidizedUsd
  const costUsd = usdValueDown(toAmount(wei), native.decimals, nativePrice)
  return costUsd > costTolerance.times * reservedUsd + costTolerance.plusUsd
}
