import { AppError } from '#src/core/errors.ts'
import { assetOf, type ChainMarket, type Market } from '#src/core/pricing/market.ts'
import type { AppFee, Order } from '#src/core/pricing/order.ts'
import { requireUsdQuoted } from '#src/core/pricing/usdConversion.ts'
import type { Address } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { divUp, mulDivDown, mulDivUp } from '#src/core/units/arithmetic.ts'
import { type Bps, wholeBps } from '#src/core/units/bps.ts'
import { type Currency, describeAmount, minAmountData } from '#src/core/units/currency.ts'
import { amountForUsdUp, usdValueDown } from '#src/core/units/usd.ts'
import { depositFor, payoutFor, payoutScale } from './depositPair.ts'
import type { FillTerms } from './solverCosts.ts'

/** The terms of the relay fees of one deposit, apart from the order. */
export type RelayTerms = FillTerms &
  Readonly<{
    /** The flat part of the fee schedule, and the settlement cost of the deposit, in the deposit currency. */
    flat: Amount
    /** The proportional part: `fixedRate` of the order, else from the fee schedule. */
    bps: Bps
  }>

/** Relay fees in the deposit currency. The deposit pays all of them except `subsidized`. */
export type RelayFees = Readonly<
  Record<'relayerGas' | 'relayerService' | 'app' | 'subsidized', Amount>
>

type FeeOrder = Pick<Order, 'appFees' | 'sponsorship'>

const none = toAmount(0n)

/** All fees in proportion to the deposit, in basis points. */
export const proportionalBps = ({ appFees }: Pick<Order, 'appFees'>, { bps }: RelayTerms): bigint =>
  bps + appBps(appFees)

// Forward: from a deposit to its fees and to the spend of the solver.

/**
 * The fees that a deposit pays, rounded up together, and the spend of the solver in the payout currency, rounded down.
 * `total` is the sum of the fees before the spend is rounded; `spend` is 0 if they take the whole deposit. The service
 * fee contains the remainder below one unit of the payout.
 */
export function chargedFees(
  order: FeeOrder,
  terms: RelayTerms,
  deposit: Amount,
  relayerGas: Amount,
): Readonly<{ fees: RelayFees; total: bigint; spend: Amount }> {
  const app = shareUp(deposit, appBps(order.appFees))
  const service = terms.flat + shareUp(deposit, proportionalBps(order, terms)) - app
  const total = relayerGas + service + app
  const rest = deposit > total ? toAmount(deposit - total) : none
  const spend = payoutFor(terms, rest)
  const relayerService = toAmount(service + rest - depositFor(terms, spend))
  return { fees: { relayerGas, relayerService, app, subsidized: none }, total, spend }
}

/**
 * The spend of the solver for a sponsored deposit, in the payout currency, rounded down. Only app fees are deducted.
 * The solver keeps the remainder of rounding.
 */
export const sponsoredSpend = (order: FeeOrder, terms: RelayTerms, deposit: Amount): Amount =>
  payoutFor(terms, toAmount(deposit - shareUp(deposit, appBps(order.appFees))))

/**
 * The fees of a deposit that a sponsor pays for. `undefined` if the order has no sponsor, if the fees exceed the limit
 * of the sponsor, or if the deposit currency has no price.
 */
export function sponsoredFees(
  order: FeeOrder,
  terms: RelayTerms,
  deposit: Amount,
  relayerGas: Amount,
): RelayFees | undefined {
  if (order.sponsorship === undefined) return undefined
  const { maxUsd } = order.sponsorship
  const app = shareUp(deposit, appBps(order.appFees))
  const relayerService = toAmount(
    terms.flat + shareUp(deposit, proportionalBps(order, terms)) - app,
  )
  const relayer = toAmount(relayerGas + relayerService)
  const price = terms.origin.usdPrices.get(terms.deposit.address)
  if (price === undefined) return undefined
  const usd = usdValueDown(relayer, terms.deposit.decimals, price)
  if (maxUsd !== undefined && usd > maxUsd) return undefined
  return { relayerGas, relayerService, app, subsidized: relayer }
}

// Inverse: from a needed amount to the deposit that pays for it.

type PricedDeposit = Readonly<{ deposit: Amount; fees: RelayFees }>

/**
 * The smallest deposit that pays for `rest`, given in the deposit currency, and for its own fees. `undefined` if the
 * proportional fees are 100% or more.
 */
export function chargedDeposit(
  order: FeeOrder,
  terms: RelayTerms,
  rest: Amount,
  relayerGas: Amount,
): PricedDeposit | undefined {
  const deposit = grossUp(rest + relayerGas + terms.flat, proportionalBps(order, terms))
  if (deposit === undefined) return undefined
  const app = shareUp(deposit, appBps(order.appFees))
  const relayerService = toAmount(deposit - rest - relayerGas - app)
  return { deposit, fees: { relayerGas, relayerService, app, subsidized: none } }
}

/** Like `chargedDeposit`, but a sponsor pays all fees except the app fees. `undefined` if no sponsor pays them. */
export function sponsoredDeposit(
  order: FeeOrder,
  terms: RelayTerms,
  rest: Amount,
  relayerGas: Amount,
): PricedDeposit | undefined {
  const deposit = grossUp(rest, appBps(order.appFees))
  if (deposit === undefined) return undefined
  const fees = sponsoredFees(order, terms, deposit, relayerGas)
  return fees && { deposit, fees }
}

/** The smallest deposit that covers its fees and a payout of one unit; `undefined` if there is none. */
export const minDeposit = (
  order: FeeOrder,
  terms: RelayTerms,
  relayerGas: Amount,
): Amount | undefined =>
  grossUp(relayerGas + terms.flat + depositFor(terms, toAmount(1n)), proportionalBps(order, terms))

/**
 * The approximate deposit for which the solver spends `spend`, for hints in errors. It leaves out the cost of the fill.
 * `undefined` if the proportional fees are 100% or more.
 */
export function depositToSpend(
  order: FeeOrder,
  terms: RelayTerms,
  spend: Amount,
): Amount | undefined {
  const deposit = depositFor(terms, spend)
  return order.sponsorship === undefined
    ? grossUp(deposit + terms.flat, proportionalBps(order, terms))
    : grossUp(deposit, appBps(order.appFees))
}

// Bounds, in floating point, for the comparison of asset pairs.

/**
 * Bounds from the lowest possible fees: the fees that a sponsor may pay count as 0. `fill` is the minimum cost of the
 * fill, in the deposit currency.
 */
type RelayBound = Readonly<{
  /** Upper bound on the spend of the solver for a deposit. */
  maxSpend: (deposit: number, fill: number) => number
  /** Lower bound on the deposit for which the solver spends `spend`. */
  minDeposit: (spend: number, fill: number) => number
}>

export function relayBound(order: FeeOrder, terms: RelayTerms): RelayBound {
  const isSponsored = order.sponsorship !== undefined
  const fixed = (fill: number) => (isSponsored ? 0 : Number(terms.flat) + fill)
  const bps = isSponsored ? appBps(order.appFees) : proportionalBps(order, terms)
  const rest = 1 - Number(bps) / 10_000
  const scale = payoutScale(terms)
  return {
    maxSpend: (deposit, fill) => (deposit * rest - fixed(fill)) * scale,
    minDeposit: (spend, fill) => (spend / scale + fixed(fill)) / rest,
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
