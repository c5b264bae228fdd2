import { type DepositPair, depositFor, requireUsdQuoted } from '#src/core/pricing/conversion.ts'
import { type TransactionSize, transactionCost, withOverhead } from '#src/core/pricing/gas/gas.ts'
import { type LegShape, minShape } from '#src/core/pricing/gas/transactionSize.ts'
import { type SettledOrder, sizesOf } from '#src/core/pricing/gas/transactionSizes.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import { type FillCalls, isRelayed, type Order } from '#src/core/pricing/order.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { mulDivUp } from '#src/core/units/arithmetic.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { amountForUsdDown, convertUp, type Usd } from '#src/core/units/usd.ts'

/** The terms of the cost of a fill, apart from its destination leg. */
export type FillTerms = DepositPair &
  Readonly<{
    origin: ChainMarket
    destination: ChainMarket
    /** Native currency of the destination chain, in wei, that the fill pays the recipient in addition; absent: none. */
    topup?: Amount | undefined
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

/** Who pays the fees of a deposit, except app fees, which the deposit always pays. */
export type FeePayer = 'sponsor' | 'user'

/**
 * The cost of the fill of a destination leg, with its gas top-up and the sweep of the deposit address, in the deposit
 * currency, rounded up. A sponsor pays like the user of a promised output, because the output does not depend on the
 * cost.
 * @throws NoPriceError if a price is missing.
 */
export function fillCost(terms: FillTerms, leg: LegShape, payer: FeePayer = 'user'): Amount {
  const percent = payer === 'sponsor' ? gasPercentOf(true) : terms.gasPercent
  return toAmount(paymentCost(terms, leg, percent) + (terms.sweep ?? 0n))
}

/**
 * The cost of the fill without the sweep. The conversion is one to one if the payout is the native currency of the
 * destination chain, else it uses USD prices.
 */
function paymentCost(terms: FillTerms, leg: LegShape, gasPercent: bigint): Amount {
  const { origin, destination, deposit, payout } = terms
  const size = sizesOf(destination.gas).fill(leg, terms.calls)
  const gas = transactionCost(destination.gas, size) + topupGas(terms)
  const charged = gasPercent === 100n ? gas : mulDivUp(gas, gasPercent, 100n)
  const cost = toAmount(charged + (terms.topup ?? 0n))
  const { native } = destination.chain
  if (payout.address === native.address) return depositFor(terms, cost)
  return convertUp(cost, requireUsdQuoted(destination, native), requireUsdQuoted(origin, deposit))
}

/** The cost of the cheapest possible fill that pays out `output`, in the deposit currency, rounded up. */
export const minFillCost = (terms: FillTerms, output: Currency): Amount =>
  fillCost(terms, minShape(terms.destination, terms.payout, output))

/**
 * A top-up in native currency, rounded down: the solver pays no more than the order asks for.
 * @throws NoPriceError if the native currency has no price.
 */
export function topupAmount(market: ChainMarket, topup: Usd | undefined): Amount | undefined {
  if (topup === undefined) return undefined
  const { decimals, price } = requireUsdQuoted(market, market.chain.native)
  return amountForUsdDown(topup, decimals, price)
}

/** The gas cost of the payment of the top-up, in wei. */
const topupGas = ({ topup, destination }: FillTerms): bigint =>
  topup === undefined ? 0n : transactionCost(destination.gas, sizesOf(destination.gas).topup)

/** The quote charges 150 % of the current gas price, because the solver sends the signed transaction later. */
const chargedPercent = 150n

type RelayedOrder = Pick<Order, 'permit' | 'originGasOverhead'>

/**
 * The charge of the solver for sending a transaction that the user has signed, in wei, rounded up; 0 if the solver does
 * not send it.
 */
export function relayWei(
  order: RelayedOrder,
  { gas: gasMarket }: ChainMarket,
  size: TransactionSize,
): Amount {
  if (!isRelayed(order)) return toAmount(0n)
  const wei = transactionCost(gasMarket, withOverhead(size, order.originGasOverhead))
  return toAmount(mulDivUp(wei, chargedPercent, 100n))
}

/**
 * `relayWei` in a currency of the same chain, rounded up.
 * @throws NoPriceError if a price is missing
 */
export function relayCostIn(market: ChainMarket, wei: Amount, currency: Currency): Amount {
  const { native } = market.chain
  if (wei === 0n || currency.address === native.address) return wei
  return convertUp(wei, requireUsdQuoted(market, native), requireUsdQuoted(market, currency))
}

/**
 * The cost for the solver of settling a deposit from the depository, with the app fees of its order, in `currency`,
 * rounded up.
 * @throws NoPriceError if a price is missing.
 */
export function settlementCost(
  { market: origin, deposit }: Readonly<{ market: ChainMarket; deposit: Currency }>,
  order: SettledOrder,
  { market, currency }: Readonly<{ market: ChainMarket; currency: Currency }>,
): Amount {
  const wei = transactionCost(origin.gas, sizesOf(origin.gas).settlement(deposit.address, order))
  const { native } = origin.chain
  if (market === origin && currency.address === native.address) return wei
  return convertUp(wei, requireUsdQuoted(origin, native), requireUsdQuoted(market, currency))
}

/**
 * The cost of the first sweep of a deposit address, in the deposit currency, rounded up.
 * @throws NoPriceError if a price is missing.
 */
export function sweepCost(market: ChainMarket, deposit: Currency): Amount {
  const wei = transactionCost(market.gas, sizesOf(market.gas).sweep(deposit.address))
  const { native } = market.chain
  if (deposit.address === native.address) return wei
  return convertUp(wei, requireUsdQuoted(market, native), requireUsdQuoted(market, deposit))
}
