import { flatFee, scheduledBps } from '#src/core/pricing/fees/feeSchedule.ts'
import { gasPercentOf } from '#src/core/pricing/fees/fillCost.ts'
import type { RelayTerms } from '#src/core/pricing/fees/relayFees.ts'
import { settlementCost } from '#src/core/pricing/fees/settlementCost.ts'
import { sweepCost } from '#src/core/pricing/fees/sweepCost.ts'
import type { LegTask } from '#src/core/pricing/leg/leg.ts'
import { limitsOf } from '#src/core/pricing/leg/routeLimits.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import { requireUsdQuoted } from '#src/core/pricing/usdConversion.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { amountForUsdDown } from '#src/core/units/usd.ts'
import type { AssetPairTerms } from './assetPairTerms.ts'

/** One asset that the solver takes on the origin chain (`deposit`) and pays out on the destination chain (`payout`). */
export type AssetPair = RelayTerms &
  Readonly<{
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
  order: AssetPairTerms,
  chains: Readonly<{ origin: ChainMarket; destination: ChainMarket }>,
  currencies: Readonly<{ deposit: Currency; payout: Currency }>,
): AssetPair {
  const { origin, destination } = chains
  const { deposit, payout } = currencies
  const paidIn = { market: origin, currency: deposit }
  const settlement = settlementCost({ market: origin, deposit }, order, paidIn)
  return {
    ...chains,
    ...currencies,
    legs: {
      origin: {
        market: origin,
        input: order.origin,
        output: deposit,
        limits: limitsOf(order, order.swapSources.origin),
      },
      destination: {
        market: destination,
        input: payout,
        output: order.destination,
        limits: limitsOf(order, order.swapSources.destination),
      },
    },
    flat: toAmount(flatFee(market, origin, deposit) + settlement),
    settlement,
    ...(order.useDepositAddress === true && { sweep: sweepCost(origin, deposit) }),
    bps: order.fixedRate ?? scheduledBps(market, order.origin, order.destination),
    ...topupOf(order, destination),
    gasPercent: gasPercentOf(order.tradeType === 'EXACT_OUTPUT' || order.fixedRate !== undefined),
    calls: order,
  }
}

/** The top-up in native currency, rounded down: the solver pays no more than the order asks for. */
function topupOf({ topup }: AssetPairTerms, market: ChainMarket): Pick<AssetPair, 'topup'> {
  if (topup === undefined) return {}
  const { decimals, price } = requireUsdQuoted(market, market.chain.native)
  return { topup: amountForUsdDown(topup, decimals, price) }
}
