import { transactionCost } from '#src/core/pricing/gas/gas.ts'
import {
  fillTransaction,
  type LegShape,
  minShape,
  topupSize,
} from '#src/core/pricing/gas/transactionSize.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { FillCalls } from '#src/core/pricing/order.ts'
import { requireUsdQuoted } from '#src/core/pricing/usdConversion.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { mulDivUp } from '#src/core/units/mulDiv.ts'
import { convertUp } from '#src/core/units/usd.ts'
import { type DepositPair, depositFor } from './shares.ts'

/** The terms of the cost of a fill, apart from its destination leg. */
export type FillTerms = DepositPair &
  Readonly<{
    origin: ChainMarket
    destination: ChainMarket
    /** Native currency of the destination chain, in wei, that the fill pays the recipient in addition; absent: none. */
    topup?: Amount
    /** The percentage of the gas that the quote charges: see `gasPercentOf`. */
    gasPercent: bigint
    /** The destination calls of the order, which run before the recipient is paid, and its authorizations. */
    calls: FillCalls
    /** Cost of the sweep of the deposit address, in the deposit currency; absent without one. */
    sweep?: Amount
  }>

/**
 * The percentage of the estimated gas of a fill that a quote charges. The fill pays the gas price at its own time. A
 * promised output cannot shrink if that price rises, so its quote charges 150 %. The surplus is spent on the output.
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
 * The cost of the fill without the sweep. The conversion is one to one if the payout is the native currency of the
 * destination chain, else it uses USD prices.
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

/**
 * The cost of a fill that a sponsor pays, in the deposit currency, rounded up. The output does not depend on it, so it
 * is charged like that of a promised output.
 */
export const sponsoredFillCost = (terms: FillTerms, leg: LegShape): Amount =>
  fillCost({ ...terms, gasPercent: gasPercentOf(true) }, leg)

/** The cost of the cheapest possible fill that pays out `output`, in the deposit currency, rounded up. */
export const minFillCost = (terms: FillTerms, output: Currency): Amount =>
  fillCost(terms, minShape(terms.destination, terms.payout, output))

/** The gas cost of the payment of the top-up, in wei. */
const topupGas = ({ topup, destination }: FillTerms): bigint =>
  topup === undefined ? 0n : transactionCost(destination.gas, topupSize)
