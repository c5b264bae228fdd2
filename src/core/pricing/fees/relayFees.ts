import type { Order } from '#src/core/pricing/order.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { Bps } from '#src/core/units/bps.ts'
import { usdValueDown } from '#src/core/units/usd.ts'
import type { FillTerms } from './fillCost.ts'
import { appBps, depositFor, grossUp, payoutFor, payoutScale, shareUp } from './shares.ts'

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
