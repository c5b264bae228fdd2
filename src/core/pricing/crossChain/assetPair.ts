import { appBps, flatFee, type RelayTerms, scheduledBps } from '#src/core/pricing/fees/relayFees.ts'
import {
  gasPercentOf,
  settlementCost,
  sweepCost,
  topupAmount,
} from '#src/core/pricing/fees/solverCosts.ts'
import { type LegTask, limitsOf } from '#src/core/pricing/leg/leg.ts'
import type { ChainMarkets, Market } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { defaultMaxWork } from '#src/core/router/findRoute.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'

/** One asset that the solver takes on the origin chain (`deposit`) and pays out on the destination chain (`payout`). */
export type AssetPair = RelayTerms &
  Readonly<{
    terms: AssetPairTerms
    /** From the order's origin currency to the deposit, and from the payout to its destination currency. */
    legs: Readonly<Record<'origin' | 'destination', LegTask>>
    /** The cost of the settlement of the deposit: a part of `flat`. */
    settlement: Amount
    /** The cost of the sweep of the deposit address, in the deposit currency; absent without one. */
    sweep?: Amount
  }>

/** @throws NoPriceError if the flat fee, the cost of the settlement or the gas top-up cannot be converted. */
export function createAssetPair(
  market: Market,
  terms: AssetPairTerms,
  chains: ChainMarkets,
  currencies: Readonly<{ deposit: Currency; payout: Currency }>,
): AssetPair {
  const { origin, destination } = chains
  const { deposit, payout } = currencies
  const paidIn = { market: origin, currency: deposit }
  const settlement = settlementCost({ market: origin, deposit }, terms, paidIn)
  return {
    ...chains,
    ...currencies,
    terms,
    legs: {
      origin: {
        market: origin,
        input: terms.origin,
        output: deposit,
        limits: limitsOf(terms, terms.swapSources.origin),
      },
      destination: {
        market: destination,
        input: payout,
        output: terms.destination,
        limits: limitsOf(terms, terms.swapSources.destination),
      },
    },
    flat: toAmount(flatFee(market, origin, deposit) + settlement),
    settlement,
    ...(terms.useDepositAddress === true && { sweep: sweepCost(origin, deposit) }),
    sponsorship: terms.sponsorship,
    appBps: appBps(terms.appFees),
    bps: terms.fixedRate ?? scheduledBps(market, terms.origin, terms.destination),
    topup: topupAmount(destination, terms.topup),
    gasPercent: gasPercentOf(terms.tradeType === 'EXACT_OUTPUT' || terms.fixedRate !== undefined),
    calls: terms,
  }
}

/** The asset pair with less work for each leg, once another asset pair works: see `RouteQuery`. */
export const asAlternative = (assetPair: AssetPair): AssetPair => ({
  ...assetPair,
  legs: {
    origin: { ...assetPair.legs.origin, maxWork: alternativeWork },
    destination: { ...assetPair.legs.destination, maxWork: alternativeWork },
  },
})

const alternativeWork = defaultMaxWork / 3

/** The fields of an order that determine its asset pairs: all except its amount, accounts and tolerances. */
export type AssetPairTerms = Pick<
  Order,
  | 'origin'
  | 'destination'
  | 'tradeType'
  | 'appFees'
  | 'explicitDeposit'
  | 'useDepositAddress'
  | 'permit'
  | 'disableOriginSwaps'
  | 'fixedRate'
  | 'topup'
  | 'sponsorship'
  | 'maxRouteLength'
  | 'swapSources'
  | 'txs'
  | 'txsGasLimit'
  | 'authorizationList'
  | 'hasTokenAccount'
>
