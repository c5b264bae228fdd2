import { AppError } from '#src/core/errors.ts'
import { requireUsdQuoted, usdQuoted } from '#src/core/pricing/conversion.ts'
import { requirePeg } from '#src/core/pricing/crossChain/peg.ts'
import {
  flatFee,
  netPayout,
  type OriginTerms,
  scheduledBps,
} from '#src/core/pricing/fees/relayFees.ts'
import { type FillTerms, gasPercentOf, settlementCost } from '#src/core/pricing/fees/solverCosts.ts'
import { transactionCost, withOverhead } from '#src/core/pricing/gas/gas.ts'
import { type LegShape, shapeOf } from '#src/core/pricing/gas/transactionSize.ts'
import { sizesOf } from '#src/core/pricing/gas/transactionSizes.ts'
import { type LegSwap, type LegTask, withoutLimits } from '#src/core/pricing/leg/leg.ts'
import { type Asset, type ChainMarket, type Market, marketOf } from '#src/core/pricing/market.ts'
import type { MultiOrder, Origin } from '#src/core/pricing/order.ts'
import { defaultMaxWork } from '#src/core/router/findRoute.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { approximateUsd, type UsdPrice } from '#src/core/units/usd.ts'

/** One asset that the solver takes from the origins and pays out once. All sums are in the payout currency. */
export type MultiAssetPair = Readonly<{
  origins: readonly AssetPairOrigin[]
  payout: Currency
  payoutPrice: UsdPrice
  /** The fill, as if the deposits were in the payout currency. */
  fill: FillTerms
  /** From the payout to the destination currency of the order. */
  task: LegTask
  /** The flat part of the fee schedule, charged once, however many origins there are. */
  flat: Amount
}>

/** The flat part of the fee schedule, and the settlements of the deposits of these origins. */
export const fixedFee = (
  { flat }: Pick<MultiAssetPair, 'flat'>,
  origins: readonly Pick<AssetPairOrigin, 'settlement'>[],
): Amount => toAmount(origins.reduce((sum, { settlement }) => sum + settlement, BigInt(flat)))

/** @throws NoPriceError if the payout or the native currency of an origin has no price. */
export function createMultiAssetPair(
  order: MultiOrder,
  market: Market,
  { asset, payout }: Readonly<{ asset: Asset; payout: Currency }>,
): MultiAssetPair {
  const destination = marketOf(market, order.destination)
  const { price } = requireUsdQuoted(destination, payout)
  return {
    origins: assetPairOrigins(order, market, { asset, payout }),
    payout,
    payoutPrice: price,
    fill: {
      origin: destination,
      destination,
      deposit: payout,
      payout,
      gasPercent: gasPercentOf(order.output !== undefined),
      calls: order,
    },
    task: { market: destination, input: payout, output: order.destination, limits: withoutLimits },
    flat: flatFee(market, destination, payout),
  }
}

/** An origin of the order over one asset pair. */
export type AssetPairOrigin = Origin &
  OriginTerms &
  Readonly<{
    /** Its index among the origins of the order, as they were given. */
    index: number
    market: ChainMarket
    /** From the currency of the origin to the deposit. */
    task: LegTask
    /** The cost of the settlement of its deposit, in the payout currency. */
    settlement: Amount
  }>

/** An origin with the leg that it pays in: from its currency to the deposit. */
export type OriginSwap = Readonly<{ origin: AssetPairOrigin; leg: LegSwap }>

/** The work for the legs of all origins: see `RouteQuery`. */
const maxOriginsWork = 4 * defaultMaxWork

/**
 * The origins of the order on chains where the solver takes `asset`. Sorted by chain, currency, account and amount, so
 * that the price does not depend on the order in which they were given.
 */
function assetPairOrigins(
  order: MultiOrder,
  market: Market,
  { asset, payout }: Readonly<{ asset: Asset; payout: Currency }>,
): readonly AssetPairOrigin[] {
  const paidIn = { market: marketOf(market, payout), currency: payout }
  const maxWork = Math.min(defaultMaxWork, maxOriginsWork / order.origins.length)
  return order.origins
    .map((origin, index) => ({ ...origin, index }))
    .toSorted(compareOrigins)
    .flatMap((origin): AssetPairOrigin[] => {
      const { currency } = origin
      const deposit = asset.currencies.get(currency.chainId)
      if (deposit === undefined) return []
      const chain = marketOf(market, currency)
      requirePeg(asset, chain, paidIn.market)
      const task = {
        market: chain,
        input: currency,
        output: deposit,
        limits: withoutLimits,
        maxWork,
      }
      const bps = scheduledBps(market, currency, order.destination)
      const settlement = settlementCost({ market: chain, deposit }, {}, paidIn)
      return [{ ...origin, market: chain, deposit, payout, task, bps, settlement }]
    })
}

function compareOrigins(one: Origin, other: Origin): number {
  return (
    one.currency.chainId - other.currency.chainId ||
    compare(one.currency.address, other.currency.address) ||
    compare(one.user, other.user) ||
    compare(one.amount, other.amount)
  )
}

const compare = <Value extends string | bigint>(one: Value, other: Value): number =>
  Number(one > other) - Number(one < other)

/** A failure of one origin, which names the input field of that origin. */
export const originFailure = (
  { index }: AssetPairOrigin,
  { code, message, data }: AppError,
): AppError =>
  new AppError(code, `origins.${index}: ${message}`, { ...data, field: `origins.${index}` })

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
  const size = sizesOf(market.gas).deposit(leg, true)
  const wei = transactionCost(market.gas, withOverhead(size, originGasOverhead))
  const native = usdQuoted(market, market.chain.native)
  return native === undefined ? 0 : approximateUsd(wei, native)
}

/** The cost of one origin for its account in US dollars: its input and the gas of its deposit. */
export const costOf = (swapped: OriginSwap, terms: CostTerms): number =>
  inputUsd(swapped, terms) + depositGasUsd(swapped.origin, shapeOf(swapped.leg), terms)
