import {
  type DepositPair,
  depositFor,
  payoutFor,
  payoutScale,
} from '#src/core/pricing/conversion.ts'
import type { LegShape } from '#src/core/pricing/gas/transactionSize.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { divUp } from '#src/core/units/arithmetic.ts'
import { type Bps, wholeBps } from '#src/core/units/bps.ts'
import { type FillTerms, fillCost } from './solverCosts.ts'

/** The fee terms of one origin of a multi-input order: its two currencies and its proportional fee. */
export type OriginTerms = DepositPair & Readonly<{ bps: Bps }>

/** An origin with its deposit. */
type OriginDeposit = Readonly<{
  origin: OriginTerms
  leg: Readonly<{ amountOut: Amount }>
}>

/** The terms of the fees of a multi-input order, apart from its deposits. All amounts are in the payout currency. */
type MultiRelayTerms = Readonly<{
  /** The fill, as if the deposit were in the payout currency. */
  fill: FillTerms
  /** The flat part of the fee schedule, and the settlement costs of the deposits. */
  flat: Amount
}>

/**
 * Relay fees in the payout currency. Together they are the gross payout of all deposits less the input of the
 * destination leg.
 */
export type MultiRelayFees = Readonly<Record<'relayerGas' | 'relayerService', Amount>>

// Forward: from deposits to fees and to the input of the destination leg.

/** The payout for one deposit without any fees, rounded down. */
export const grossPayout = ({ origin, leg }: OriginDeposit): Amount =>
  payoutFor(origin, leg.amountOut)

/** The sum of the gross payouts. Like every sum of user input, it can exceed an `Amount`. */
export const totalGrossPayout = (deposits: readonly OriginDeposit[]): bigint =>
  deposits.reduce((sum, each) => sum + grossPayout(each), 0n)

/** The sum of the gross payouts less the proportional fees: exact, in 1/10,000 of a raw unit. */
export const netPayoutInBps = (deposits: readonly OriginDeposit[]): bigint =>
  deposits.reduce((sum, each) => sum + grossPayout(each) * (wholeBps - each.origin.bps), 0n)

/** `netPayoutInBps` in raw units, rounded down once for all deposits together. It can exceed an `Amount`. */
export const totalNetPayout = (deposits: readonly OriginDeposit[]): bigint =>
  netPayoutInBps(deposits) / wholeBps

/** The gross payout of one deposit less its proportional fees, rounded down. */
export const netPayout = (deposit: OriginDeposit): Amount => toAmount(totalNetPayout([deposit]))

/** The input of the destination leg: a total net payout less the fixed fees. It may be negative. */
export const multiNetInput = (
  { flat }: MultiRelayTerms,
  netPayout: bigint,
  relayerGas: Amount,
): bigint => netPayout - flat - relayerGas

/**
 * The service fee is the rest of the deposits after `netInput` and the gas: the flat and proportional parts, and the
 * remainders of rounding.
 */
export const multiRelayFees = (
  deposits: readonly OriginDeposit[],
  netInput: Amount,
  relayerGas: Amount,
): MultiRelayFees => ({
  relayerGas,
  relayerService: toAmount(totalGrossPayout(deposits) - netInput - relayerGas),
})

// Inverse: from a needed amount to deposits.

/** The total net payout that a destination leg with input `amountIn` needs, rounded up. */
export const neededPayout = (
  { fill, flat }: MultiRelayTerms,
  amountIn: Amount,
  leg: LegShape,
): Amount => toAmount(amountIn + flat + fillCost(fill, leg))

/** The smallest deposit of an origin whose net payout is at least `netInBps`; `undefined` if its fee is 100%. */
export function depositForNetPayout(origin: OriginTerms, netInBps: bigint): Amount | undefined {
  const left = wholeBps - origin.bps
  return left <= 0n ? undefined : depositFor(origin, toAmount(divUp(netInBps, left)))
}

// Bounds, in floating point, for the comparison of asset pairs.

/** Upper bound on the net payout per raw unit of input, for an origin leg with this rate. */
export const maxNetRate = (origin: OriginTerms, legRate: number): number =>
  legRate * payoutScale(origin) * (1 - Number(origin.bps) / 10_000)
