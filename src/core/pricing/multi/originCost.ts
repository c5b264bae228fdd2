import { netPayout } from '#src/core/pricing/fees/multiRelayFees.ts'
import { transactionCost } from '#src/core/pricing/gas/gas.ts'
import {
  depositTransaction,
  type LegShape,
  shapeOf,
} from '#src/core/pricing/gas/transactionSize.ts'
import { usdQuoted } from '#src/core/pricing/usdConversion.ts'
import { approximateUsd, type UsdPrice } from '#src/core/units/usd.ts'
import type { AssetPairOrigin, OriginSwap } from './assetPairOrigin.ts'

/** The terms of the costs of origins, apart from the origins themselves. */
export type CostTerms = Readonly<{
  /** The price of the payout currency. */
  payoutPrice: UsdPrice
  originGasOverhead: bigint
}>

/** The input of an origin in US dollars: by its own price, else by the price of its net payout. */
export function inputUsd({ origin, leg }: OriginSwap, { payoutPrice }: CostTerms): number {
  const quoted = usdQuoted(origin.market, origin.currency)
  return quoted === undefined
    ? approximateUsd(netPayout({ origin, leg }), {
        decimals: origin.payout.decimals,
        price: payoutPrice,
      })
    : approximateUsd(leg.amountIn, quoted)
}

/** The gas of the deposit transaction in US dollars; 0 if a price is missing. */
export function depositGasUsd(
  { market }: AssetPairOrigin,
  leg: LegShape,
  { originGasOverhead }: CostTerms,
): number {
  const { gas, bytes } = depositTransaction(leg, true)
  const wei = transactionCost(market.gas, { gas: gas + originGasOverhead, bytes })
  const native = usdQuoted(market, market.chain.native)
  return native === undefined ? 0 : approximateUsd(wei, native)
}

/** The cost of one origin for its account in US dollars: its input and the gas of its deposit. */
export const costOf = (swapped: OriginSwap, terms: CostTerms): number =>
  inputUsd(swapped, terms) + depositGasUsd(swapped.origin, shapeOf(swapped.leg), terms)
