import type { Order } from '#src/pricing/order.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { Bps } from '#src/units/bps.ts'
import { usdValueDown } from '#src/units/usd.ts'
import type { FillTerms } from './fillCost.ts'
import { appBps, depositFor, grossUp, payoutFor, payoutScale, shareUp } from './shares.ts'

/** What the relay fees of one deposit depend on, beside the order. */
export type RelayTerms = FillTerms &
  Readonly<{
    /** The flat part of the fee schedule, and what the settlement of the deposit costs, in the deposit currency. */
    flat: Amount
    /** The proportional part: `fixedRate` of the order, else by the fee schedule. */
    bps: Bps
  }>

/** Relay fees in the deposit currency. The deposit pays all of them except `subsidized`. */
export type RelayFees = Readonly<
  Record<'relayerGas' | 'relayerService' | 'app' | 'subsidized', Amount>
>

type FeeOrder = Pick<Order, 'appFees' | 'sponsorship'>

const none = toAmount(0n)

/** Everything that is charged in proportion to the deposit, in basis points. */
export const proportionalBps = ({ appFees }: Pick<Order, 'appFees'>, { bps }: RelayTerms): bigint =>
  bps + appBps(appFees)

// Forward: from a deposit to its fees and to what the solver spends.

/**
 * The fees that a deposit pays, and what the solver spends of the payout currency, rounded down. `spend` is 0 if the
 * fees (`total`, before rounding) take the whole deposit. What is finer than a unit of the payout joins the service fee.
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

/** What the solver spends for a sponsored deposit, rounded down: only app fees come off. The solver keeps the remainder. */
export const sponsoredSpend = (order: FeeOrder, terms: RelayTerms, deposit: Amount): Amount =>
  payoutFor(terms, toAmount(deposit - shareUp(deposit, appBps(order.appFees))))

/** The fees on a deposit if a sponsor pays them; `undefined` if the order has none, or they exceed its limit or have no price. */
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

// Inverse: from what is needed to the deposit that pays for it.

type PricedDeposit = Readonly<{ deposit: Amount; fees: RelayFees }>

/**
 * The smallest deposit that pays for `rest`, given in the deposit currency, and for its own fees.
 * `undefined` if the proportional fees are 100% or more.
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

/** Like `chargedDeposit` if a sponsor pays all fees but the app fees; `undefined` if none does. */
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

/** About the deposit for which the solver spends `spend`: it leaves out the cost of the fill. For hints in errors. */
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

// Bounds, in floating point, for the comparison of bridges.

/**
 * The two directions of the fees at their lowest: without all fees that a sponsor may pay. `fill` is the least cost of
 * the fill, in the deposit currency.
 */
type RelayBound = Readonly<{
  /** Upper bound on what the solver spends for a deposit. */
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
