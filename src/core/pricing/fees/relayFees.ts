import { AppError } from '#src/core/errors.ts'
import {
  type DepositPair,
  depositFor,
  payoutFor,
  payoutScale,
  requireUsdQuoted,
  usdQuoted,
} from '#src/core/pricing/conversion.ts'
import type { LegShape } from '#src/core/pricing/gas/transactionSize.ts'
import { assetOf, type ChainMarket, type Market } from '#src/core/pricing/market.ts'
import type { AppFee, Order } from '#src/core/pricing/order.ts'
import type { Account } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { divUp, mulDivDown, mulDivUp } from '#src/core/units/arithmetic.ts'
import { type Bps, toBps, wholeBps } from '#src/core/units/bps.ts'
import { type Currency, describeAmount, minAmountData } from '#src/core/units/currency.ts'
import { amountForUsdUp, usdValueDown } from '#src/core/units/usd.ts'
import { type FeePayer, type FillTerms, fillCost } from './solverCosts.ts'

/** The terms of the relay fees of one deposit. */
export type RelayTerms = FillTerms &
  Readonly<{
    /** The flat part of the fee schedule, and the settlement cost of the deposit, in the deposit currency. */
    flat: Amount
    /** The proportional part: `fixedRate` of the order, else from the fee schedule. */
    bps: Bps
    /** All app fees of the order together, in basis points. */
    appBps: bigint
    /** The sponsorship of the order; `undefined` if the user pays all fees. */
    sponsorship: Order['sponsorship']
  }>

/** Relay fees in the deposit currency. The deposit pays all of them except `subsidized`. */
export type RelayFees = Readonly<
  Record<'relayerGas' | 'relayerService' | 'app' | 'subsidized', Amount>
>

const none = toAmount(0n)

/** All fees in proportion to the deposit, in basis points. */
const proportionalBps = ({ bps, appBps }: RelayTerms): bigint => bps + appBps

/**
 * The proportional fees of a deposit beyond the priced one, rounded up. The settlement pays app fees in proportion to
 * the priced ones, whose rounding weighs more on a small deposit. A fixed rate and app fees can be more than 100%
 * together.
 */
export function surplusBps(terms: RelayTerms, deposit: Amount): Bps {
  const bps = terms.bps + divUp(shareUp(deposit, terms.appBps) * wholeBps, deposit)
  if (bps > wholeBps) return toBps(wholeBps)
  return toBps(bps)
}

/** The fees that the deposit itself pays: a fixed amount, and a share in basis points. */
const deductionOf = (terms: RelayTerms, payer: FeePayer, relayerGas: Amount) =>
  payer === 'sponsor'
    ? { fixed: 0n, bps: terms.appBps }
    : { fixed: terms.flat + relayerGas, bps: proportionalBps(terms) }

/** The fees that the deposit itself pays. Its proportional fees are rounded up together. */
export function deductedFees(
  terms: RelayTerms,
  payer: FeePayer,
  deposit: Amount,
  relayerGas: Amount,
): bigint {
  const { fixed, bps } = deductionOf(terms, payer, relayerGas)
  return fixed + shareUp(deposit, bps)
}

/**
 * What is left of a deposit after its fees, in the payout currency, rounded down: the input of the destination leg. 0
 * if the fees take the whole deposit.
 */
export function netInputOf(
  terms: RelayTerms,
  payer: FeePayer,
  deposit: Amount,
  relayerGas: Amount,
): Amount {
  const left = deposit - deductedFees(terms, payer, deposit, relayerGas)
  return left > 0n ? payoutFor(terms, toAmount(left)) : none
}

/** `netInputOf` before the fixed fees. */
export const netOfShares = (terms: RelayTerms, payer: FeePayer, deposit: Amount): Amount =>
  payoutFor(terms, lessShare(deposit, deductionOf(terms, payer, none).bps))

/**
 * The inverse of `netInputOf`: the smallest deposit that leaves `netInput` after its fees. `undefined` if the
 * proportional fees are 100% or more.
 */
export function depositForNetInput(
  terms: RelayTerms,
  payer: FeePayer,
  netInput: Amount,
  relayerGas: Amount,
): Amount | undefined {
  const { fixed, bps } = deductionOf(terms, payer, relayerGas)
  return grossUp(depositFor(terms, netInput) + fixed, bps)
}

/** The fees of a deposit that leaves `netInput`. The service fee contains the remainders of rounding. */
export function relayFeesOf(
  terms: RelayTerms,
  payer: FeePayer,
  { deposit, netInput }: Readonly<{ deposit: Amount; netInput: Amount }>,
  relayerGas: Amount,
): RelayFees {
  const app = shareUp(deposit, terms.appBps)
  if (payer === 'user') {
    const relayerService = toAmount(deposit - depositFor(terms, netInput) - relayerGas - app)
    return { relayerGas, relayerService, app, subsidized: none }
  }
  const subsidized = subsidyOf(terms, deposit, relayerGas)
  return { relayerGas, relayerService: toAmount(subsidized - relayerGas), app, subsidized }
}

/** All fees of a deposit except its app fees: the solver keeps the remainder of rounding of a sponsored deposit. */
const subsidyOf = (terms: RelayTerms, deposit: Amount, relayerGas: Amount): Amount =>
  toAmount(
    terms.flat +
      relayerGas +
      shareUp(deposit, proportionalBps(terms)) -
      shareUp(deposit, terms.appBps),
  )

/**
 * Whether a payer pays the fees of a deposit. A sponsor does not if they exceed its limit, or if the deposit currency
 * has no price.
 */
export function paysFees(
  terms: RelayTerms,
  payer: FeePayer,
  deposit: Amount,
  relayerGas: Amount,
): boolean {
  if (payer === 'user') return true
  const quoted = usdQuoted(terms.origin, terms.deposit)
  if (terms.sponsorship === undefined || quoted === undefined) return false
  const { maxUsd } = terms.sponsorship
  const usd = usdValueDown(subsidyOf(terms, deposit, relayerGas), quoted.decimals, quoted.price)
  return maxUsd === undefined || usd <= maxUsd
}

/** The possible payers of the fees, in the order in which they are asked. */
export const payersOf = ({ sponsorship }: RelayTerms): readonly [FeePayer, ...FeePayer[]] =>
  sponsorship === undefined ? ['user'] : ['sponsor', 'user']

/**
 * Bounds in floating point, for the comparison of asset pairs, from the lowest possible fees: those that a sponsor may
 * pay count as 0. `fill` is the minimum cost of the fill, in the deposit currency.
 */
type RelayBound = Readonly<{
  /** Upper bound on the input of the destination leg that a deposit leaves. */
  maxNetInput: (deposit: number, fill: number) => number
  /** Lower bound on the deposit that leaves `netInput`. */
  minDeposit: (netInput: number, fill: number) => number
}>

export function relayBound(terms: RelayTerms): RelayBound {
  const [payer] = payersOf(terms)
  const { fixed, bps } = deductionOf(terms, payer, none)
  const fixedWith = (fill: number) => Number(fixed) + (payer === 'sponsor' ? 0 : fill)
  const rest = 1 - Number(bps) / 10_000
  const scale = payoutScale(terms)
  return {
    maxNetInput: (deposit, fill) => (deposit * rest - fixedWith(fill)) * scale,
    minDeposit: (netInput, fill) => (netInput / scale + fixedWith(fill)) / rest,
  }
}

/**
 * The flat part of the fee schedule in a currency, rounded up.
 * @throws NoPriceError if the currency has no price.
 */
export function flatFee({ feeSchedule }: Market, chain: ChainMarket, currency: Currency): Amount {
  const { decimals, price } = requireUsdQuoted(chain, currency)
  return amountForUsdUp(feeSchedule.flat, decimals, price)
}

/** The proportional part of the fee schedule, by the assets of the two currencies of an order. */
export function scheduledBps(market: Market, origin: Currency, destination: Currency): Bps {
  const { feeSchedule } = market
  const one = assetOf(market, origin)
  const other = assetOf(market, destination)
  if (one === undefined || other === undefined) return feeSchedule.other
  if (one === other) return feeSchedule.sameAsset
  const classes = [one.class, other.class]
  if (classes.includes('other')) return feeSchedule.other
  return classes.includes('major') ? feeSchedule.major : feeSchedule.stable
}

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
): readonly Readonly<{ recipient: Account; amount: Amount }>[] {
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

/** What `bps`, rounded up, leave of `amount`. `bps` are at most 100%. */
export const lessShare = (amount: Amount, bps: bigint): Amount =>
  toAmount(amount - shareUp(amount, bps))

/** The inverse of `lessShare`: the smallest amount of which `rest` is left after `bps`; `undefined` from 100% on. */
export function grossUp(rest: bigint, bps: bigint): Amount | undefined {
  const left = wholeBps - bps
  return left <= 0n ? undefined : toAmount(divUp(rest * wholeBps, left))
}

/** The fees leave nothing for the recipient. */
export class AmountTooLowError extends AppError {
  /** @param minInput the smallest input that works, if it is known, in the `input` currency. */
  constructor(fees: bigint, deposit: Currency, minInput: Amount | undefined, input: Currency) {
    const hint =
      minInput === undefined
        ? ''
        : ` The smallest input that works is about ${describeAmount(minInput, input)}.`
    super(
      'AMOUNT_TOO_LOW',
      `The amount does not cover the fees of ${describeAmount(fees, deposit)}.${hint}`,
      {
        fees: fees.toString(),
        ...(minInput !== undefined && minAmountData(minInput, input)),
      },
    )
  }
}

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
