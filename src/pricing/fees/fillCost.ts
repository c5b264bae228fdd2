import { transactionCost } from '#src/pricing/gas/gas.ts'
import {
  fillTransaction,
  type LegShape,
  minShape,
  topupSize,
} from '#src/pricing/gas/transactionSize.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { FillCalls } from '#src/pricing/order.ts'
import { requireUsdQuoted } from '#src/pricing/usdConversion.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { Currency } from '#src/units/currency.ts'
import { mulDivUp } from '#src/units/mulDiv.ts'
import { convertUp } from '#src/units/usd.ts'
import { type DepositPair, depositFor } from './shares.ts'

/** What the cost of a fill depends on, beside its destination leg. */
export type FillTerms = DepositPair &
  Readonly<{
    origin: ChainMarket
    destination: ChainMarket
    /** Native currency of the destination chain that the fill pays the recipient on top; absent: none. */
    topup?: Amount
    /** The part of the gas that the quote charges, in percent: see `gasPercentOf`. */
    gasPercent: bigint
    /** The caller's own calls, which the fill executes after the payment, and the authorizations that it applies before. */
    calls: FillCalls
    /** What the sweep of the deposit address costs, in the deposit currency; absent without one. */
    sweep?: Amount
  }>

/**
 * The part of the gas of a fill that a quote charges, in percent. The fill pays the gas price of its own moment. A
 * promised output cannot bear that, so the quote charges half more; the surplus is spent on the output.
 */
export const gasPercentOf = (isOutputPromised: boolean): bigint => (isOutputPromised ? 150n : 100n)

/**
 * The cost of the fill of a destination leg, with its gas top-up and the sweep of the deposit address, in the deposit
 * currency, rounded up.
 * @throws NoPriceError if a price is missing.
 */
export const fillCost = (terms: FillTerms, leg: LegShape): Amount =>
  toAmount(paymentCost(terms, leg) + (terms.sweep ?? 0n))

/**
 * If the payout is the native currency of the destination chain, the conversion is one to one; else it uses USD prices.
 */
function paymentCost(terms: FillTerms, leg: LegShape): Amount {
  const { origin, destination, deposit, payout } = terms
  const gas = transactionCost(destination.gas, fillTransaction(leg, terms.calls)) + topupGas(terms)
  const charged = terms.gasPercent === 100n ? gas : mulDivUp(gas, terms.gasPercent, 100n)
  const cost = toAmount(charged + (terms.topup ?? 0n))
  const { native } = destination.chain
  if (payout.address === native.address) return depositFor(terms, cost)
  return convertUp(cost, requireUsdQuoted(destination, native), requireUsdQuoted(origin, deposit))
}

/** The cost of a fill whose sponsor pays it, so that the output does not depend on it. */
export const sponsoredFillCost = (terms: FillTerms, leg: LegShape): Amount =>
  fillCost({ ...terms, gasPercent: gasPercentOf(true) }, leg)

/** The cost of the cheapest possible fill that pays out `output`. */
export const minFillCost = (terms: FillTerms, output: Currency): Amount =>
  fillCost(terms, minShape(terms.destination, terms.payout, output))

/** The gas of the top-up's payment, in wei. */
const topupGas = ({ topup, destination }: FillTerms): bigint =>
  topup === undefined ? 0n : transactionCost(destination.gas, topupSize)
