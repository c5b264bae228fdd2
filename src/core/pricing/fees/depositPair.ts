import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { divUp, powerOfTen } from '#src/core/units/arithmetic.ts'
import type { Currency } from '#src/core/units/currency.ts'

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
