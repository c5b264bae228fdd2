import type { LegShape } from '#src/pricing/gas/transactionSize.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { type Bps, wholeBps } from '#src/units/bps.ts'
import { divUp } from '#src/units/mulDiv.ts'
import { type FillTerms, fillCost } from './fillCost.ts'
import { type DepositPair, depositFor, payoutFor, payoutScale } from './shares.ts'

/** An origin of a multi-input order as its fees see it: its two currencies, and its part of the fee schedule. */
export type OriginTerms = DepositPair & Readonly<{ bps: Bps }>

/** An origin with its deposit. */
type OriginDeposit = Readonly<{
  origin: OriginTerms
  leg: Readonly<{ amountOut: Amount }>
}>

/** What the fees of a multi-input order depend on, beside its deposits. All of it is in the payout currency. */
type MultiRelayTerms = Readonly<{
  /** The fill, as if the deposit were in the payout currency. */
  fill: FillTerms
  /** The flat part of the fee schedule, and what the settlements of the deposits cost. */
  flat: Amount
}>

/** Relay fees in the payout currency: together all deposits less the input of the destination leg. */
export type MultiRelayFees = Readonly<Record<'relayerGas' | 'relayerService', Amount>>

// Forward: from deposits to fees and to what the solver spends.

/** The payout for one deposit without any fees, rounded down. */
export const grossPayout = ({ origin, leg }: OriginDeposit): Amount =>
  payoutFor(origin, leg.amountOut)

/** The sum of the gross payouts. Like every sum of user input, it can exceed an `Amount`. */
export const totalGrossPayout = (deposits: readonly OriginDeposit[]): bigint =>
  deposits.reduce((sum, each) => sum + grossPayout(each), 0n)

/** The sum of the gross payouts less the proportional fees, exact, in basis points of a unit. */
export const netPayoutInBps = (deposits: readonly OriginDeposit[]): bigint =>
  deposits.reduce((sum, each) => sum + grossPayout(each) * (wholeBps - each.origin.bps), 0n)

/** The same in units, rounded down once for all deposits together. It can exceed an `Amount`. */
export const totalNetPayout = (deposits: readonly OriginDeposit[]): bigint =>
  netPayoutInBps(deposits) / wholeBps

/** The gross payout of one deposit less its proportional fees, rounded down. */
export const netPayout = (deposit: OriginDeposit): Amount => toAmount(totalNetPayout([deposit]))

/** What the solver can spend of a total net payout after the fixed fees; it may be negative. */
export const multiSpend = (
  { flat }: MultiRelayTerms,
  netPayout: bigint,
  relayerGas: Amount,
): bigint => netPayout - flat - relayerGas

/** The service fee is what the deposits leave beside `spend` and the gas: flat and proportional parts, and rounding. */
export const multiRelayFees = (
  deposits: readonly OriginDeposit[],
  spend: Amount,
  relayerGas: Amount,
): MultiRelayFees => ({
  relayerGas,
  relayerService: toAmount(totalGrossPayout(deposits) - spend - relayerGas),
})

// Inverse: from what is needed to deposits.

/** The total net payout that a destination leg with input `amountIn` needs. */
export const neededPayout = (
  { fill, flat }: MultiRelayTerms,
  amountIn: Amount,
  leg: LegShape,
): Amount => toAmount(amountIn + flat + fillCost(fill, leg))

/** The smallest deposit of an origin with a net payout of `netInBps`; `undefined` if its fee is 100%. */
export function depositForNetPayout(origin: OriginTerms, netInBps: bigint): Amount | undefined {
  const left = wholeBps - origin.bps
  return left <= 0n ? undefined : depositFor(origin, toAmount(divUp(netInBps, left)))
}

// Bounds, in floating point, for the comparison of bridges.

/** Upper bound on the net payout for one raw unit that an origin leg with this rate gets. */
export const maxNetRate = (origin: OriginTerms, legRate: number): number =>
  legRate * payoutScale(origin) * (1 - Number(origin.bps) / 10_000)
