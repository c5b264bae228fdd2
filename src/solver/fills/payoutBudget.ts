import type { Market } from '#src/pricing/market.ts'
import { payoutFor } from '#src/pricing/relay.ts'
import type { Deposit } from '#src/requests/deposit.ts'
import type { SolverRequest } from '#src/solver/solverRequest.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { Currency } from '#src/units/currency.ts'
import { mulDivUp } from '#src/units/ratio.ts'

/** What a fill may cost the solver. */
export type Budget = Readonly<{
  /** What it spends. */
  payout: Currency
  /** What the quote reckoned with, more or less by what was deposited more or less: 0 where nothing is left. */
  spend: Amount
  /** The same with the solver's own margin. */
  most: Amount
  /** What the quote keeps of what was ordered to be deposited: for gas, and for what is paid on top. */
  reckoned: Amount
  /** Whether less was deposited than was ordered. */
  isShort: boolean
}>

/** Undefined where the two currencies are of one asset no more: the solver does not take one for the other. */
export function budgetOf(
  { destinationChainId, inputs, fill, order }: SolverRequest,
  { amount }: Deposit,
  { assets }: Market,
): Budget | undefined {
  const [input] = inputs
  if (input === undefined) throw new Error('A request without an input')
  const { chainId: originChainId, depositCurrency, depositAmount } = input
  const asset = assets.find(
    ({ currencies }) =>
      currencies.get(originChainId)?.address === depositCurrency &&
      currencies.get(destinationChainId)?.address === fill.payoutCurrency,
  )
  const deposit = asset?.currencies.get(originChainId)
  const payout = asset?.currencies.get(destinationChainId)
  if (deposit === undefined || payout === undefined) return undefined
  const isShort = amount < depositAmount
  // Against the taker: less is added for a surplus, and more taken off for what is missing.
  const difference = isShort
    ? -mulDivUp(
        depositAmount - amount,
        10n ** BigInt(payout.decimals),
        10n ** BigInt(deposit.decimals),
      )
    : payoutFor({ deposit, payout }, toAmount(amount - depositAmount))
  const adjust = (planned: Amount): Amount => {
    const adjusted = planned + difference
    return toAmount(adjusted > 0n ? adjusted : 0n)
  }
  const owed = order.fees.reduce((sum, fee) => sum + fee.amount, 0n)
  const left = depositAmount > owed ? toAmount(depositAmount - owed) : toAmount(0n)
  const kept = payoutFor({ deposit, payout }, left) - fill.mostPayout
  return {
    payout,
    spend: adjust(fill.payoutAmount),
    most: adjust(fill.mostPayout),
    reckoned: toAmount(kept > 0n ? kept : 0n),
    isShort,
  }
}
