import type { AppFee } from '#src/core/pricing/order.ts'
import type { Address } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { wholeBps } from '#src/core/units/bps.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { divUp, mulDivDown, mulDivUp } from '#src/core/units/mulDiv.ts'
import { powerOfTen } from '#src/core/units/powersOfTen.ts'

/** The total of all app fees in basis points. */
export const appBps = (fees: readonly AppFee[]): bigint =>
  fees.reduce((sum, { fee }) => sum + fee, 0n)

/**
 * Splits the `total` of all app fees between their recipients. Each share is rounded down; the units left over go to
 * the first recipients, one each.
 */
export function appFeeShares(
  fees: readonly AppFee[],
  total: Amount,
): readonly Readonly<{ recipient: Address; amount: Amount }>[] {
  const bps = appBps(fees)
  const floors = fees.map(({ fee }) => (bps === 0n ? 0n : mulDivDown(total, fee, bps)))
  const left = total - floors.reduce((sum, floor) => sum + floor, 0n)
  return fees.map(({ recipient }, at) => ({
    recipient,
    amount: toAmount((floors[at] as bigint) + (BigInt(at) < left ? 1n : 0n)),
  }))
}

/**
 * `bps` of `amount`, rounded up. The caller adds up several fees first, so that they are rounded once. If each were
 * rounded, less could be left of a larger amount than of a smaller one.
 */
export const shareUp = (amount: Amount, bps: bigint): Amount =>
  toAmount(mulDivUp(amount, bps, wholeBps))

/** The inverse of `shareUp`: the smallest amount of which `rest` is left after `bps`; `undefined` from 100% on. */
export function grossUp(rest: bigint, bps: bigint): Amount | undefined {
  const left = wholeBps - bps
  return left <= 0n ? undefined : toAmount(divUp(rest * wholeBps, left))
}

/** The two currencies of one asset: the user deposits one, and the solver pays out the other. */
export type DepositPair = Readonly<{ deposit: Currency; payout: Currency }>

/** The payout for `amount` of the deposit currency without fees: one to one in whole currency units, rounded down. */
export const payoutFor = ({ deposit, payout }: DepositPair, amount: Amount): Amount =>
  payout.decimals >= deposit.decimals
    ? toAmount(amount * powerOfTen(payout.decimals - deposit.decimals))
    : toAmount(amount / powerOfTen(deposit.decimals - payout.decimals))

/** The inverse of `payoutFor`: the deposit for a payout of `amount` without fees, rounded up. */
export const depositFor = ({ deposit, payout }: DepositPair, amount: Amount): Amount =>
  deposit.decimals >= payout.decimals
    ? toAmount(amount * powerOfTen(deposit.decimals - payout.decimals))
    : toAmount(divUp(amount, powerOfTen(payout.decimals - deposit.decimals)))

/** Raw units of payout per raw unit of deposit, in floating point. */
export const payoutScale = ({ deposit, payout }: DepositPair): number =>
  10 ** (payout.decimals - deposit.decimals)
