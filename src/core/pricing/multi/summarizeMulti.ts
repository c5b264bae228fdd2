import { depositFor, payoutFor, requireUsdQuoted, usdQuoted } from '#src/core/pricing/conversion.ts'
import { depositUsd, secondsAcross } from '#src/core/pricing/deposits/timeEstimate.ts'
import {
  grossPayout,
  type MultiRelayFees,
  netPayout,
  totalGrossPayout,
} from '#src/core/pricing/fees/relayFees.ts'
import { shapeOf } from '#src/core/pricing/gas/transactionSize.ts'
import { sizesOf } from '#src/core/pricing/gas/transactionSizes.ts'
import { OutputTooLowError } from '#src/core/pricing/leg/leg.ts'
import { assetOf, type ChainMarket, type Market, marketOf } from '#src/core/pricing/market.ts'
import type { MultiOrder, Origin } from '#src/core/pricing/order.ts'
import type {
  CurrencyAmount,
  Fees,
  MultiPrice,
  Operation,
  PricedOrigin,
  Slippage,
} from '#src/core/pricing/price.ts'
import { automaticSlippage } from '#src/core/pricing/summary/slippage.ts'
import {
  blockOf,
  currencyAmount,
  feesIn,
  gasCost,
  impactsOf,
  legOf,
  operationOf,
  rateOf,
  slippageIn,
} from '#src/core/pricing/summary/summary.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { type Bps, toBps, wholeBps } from '#src/core/units/bps.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { convertDown, convertUp, toUsd, type Usd, usdValueDown } from '#src/core/units/usd.ts'
import type { MultiAssetPair, OriginSwap } from './multiAssetPair.ts'
import type { MultiCrossChainPrice } from './multiCrossChainPrice.ts'

const none = toAmount(0n)

/** The price of a multi-input order, in the currencies that `MultiPrice` names. */
export function summarizeMulti(
  order: MultiOrder,
  market: Market,
  crossChainPrice: MultiCrossChainPrice,
): MultiPrice {
  const { assetPair, origins, destinationLeg } = crossChainPrice
  const { user, recipient, destination } = order
  const { market: chain } = assetPair.task
  const { amountOut } = destinationLeg
  const slippageBps = toleranceOf(order, crossChainPrice)
  const slippage = slippageIn(chain, destination, amountOut, slippageBps)
  const pricedOrigins = pricedOriginsOf(order, origins, slippageBps)
  const originValueOf = createOriginValue(order, market, crossChainPrice)
  const currencyIn = paidIn(
    chain,
    destination,
    pricedOrigins,
    inputValue(order, origins, originValueOf),
  )
  const currencyOut = currencyAmount(chain, destination, amountOut, slippage.value)
  const spent = currencyAmount(chain, assetPair.payout, destinationLeg.amountIn)
  const fees = feesOf(order, market, chain, assetPair.payout, crossChainPrice.fees, origins)
  const breakdown = breakdownOf(crossChainPrice, amountOut)
  return {
    order,
    operation: operationOfAll(order, market, origins),
    sender: user,
    recipient,
    currencyIn,
    currencyOut,
    fees,
    ...impactsOf(currencyIn, currencyOut, fees),
    rate: rateOf(sideOf(currencyIn), sideOf(currencyOut)),
    slippageBps,
    slippageTolerance: {
      origin: originSlippage(assetPair, origins, pricedOrigins),
      destination: slippage,
    },
    timeEstimate: breakdown.at(-1)?.timeEstimate ?? 0,
    breakdown,
    pricedOrigins,
    destination: legOf(destinationLeg, spent, currencyOut),
    blocks: blocksOf(chain, origins),
    originValueOf,
  }
}

/**
 * The fees of a multi-input order, on its destination chain. The gas of all deposits is converted to its native
 * currency.
 */
function feesOf(
  order: MultiOrder,
  market: Market,
  chain: ChainMarket,
  payout: Currency,
  relay: MultiRelayFees,
  deposits: readonly OriginSwap[],
): Fees {
  const gas = deposits.reduce(
    (sum, { origin, leg }) =>
      sum +
      nativeCost(
        market,
        origin.market,
        chain,
        gasCost(
          origin.market,
          sizesOf(origin.market.gas).deposit(shapeOf(leg), true),
          order.originGasOverhead,
        ),
      ),
    0n,
  )
  // Multi-input orders have neither app fees nor a sponsor.
  return feesIn(chain, payout, { ...relay, app: none, subsidized: none }, toAmount(gas))
}

/**
 * Converts wei of one chain to wei of another, rounded up: one to one if both native currencies are the same asset,
 * else by USD prices.
 * @throws NoPriceError if a price is missing.
 */
function nativeCost(market: Market, from: ChainMarket, to: ChainMarket, wei: Amount): Amount {
  const { native: payout } = from.chain
  const { native: deposit } = to.chain
  const asset = assetOf(market, deposit)
  const isSameAsset = asset !== undefined && asset === assetOf(market, payout)
  if (payout.chainId === deposit.chainId || isSameAsset) return depositFor({ deposit, payout }, wei)
  return convertUp(wei, requireUsdQuoted(from, payout), requireUsdQuoted(to, deposit))
}

/** 0 for an exact output, as with one deposit; else the largest tolerance of all origin legs. */
function toleranceOf(order: MultiOrder, { origins, destinationLeg }: MultiCrossChainPrice): Bps {
  if (order.output !== undefined) return toBps(0n)
  if (order.slippageTolerance !== undefined) return order.slippageTolerance
  const tolerances = origins.map(({ leg }) => automaticSlippage([leg, destinationLeg], true))
  return tolerances.sort((one, other) => Number(other - one))[0] ?? toBps(0n)
}

function pricedOriginsOf(
  order: MultiOrder,
  origins: readonly OriginSwap[],
  bps: Bps,
): MultiPrice['pricedOrigins'] {
  const [first, ...others] = origins.map((each, place) =>
    pricedOriginOf(each, bps, isLimited(order, place, origins)),
  )
  if (first === undefined) throw new Error('Nobody pays in')
  return [first, ...others]
}

/**
 * For an exact output, the last origin pays exactly what is missing. All origins before it swap their whole input, so
 * that the pools are exactly as the next origin was priced on.
 */
const isLimited = (order: MultiOrder, place: number, origins: readonly OriginSwap[]): boolean =>
  order.output !== undefined && place === origins.length - 1

function pricedOriginOf(swapped: OriginSwap, bps: Bps, isLimited: boolean): PricedOrigin {
  const { origin, leg } = swapped
  const { market, deposit } = origin
  const slippage = slippageIn(market, deposit, leg.amountOut, leg.route ? bps : toBps(0n))
  return {
    user: origin.user,
    refundTo: origin.refundTo,
    leg: legOf(
      leg,
      currencyAmount(market, origin.currency, leg.amountIn),
      currencyAmount(market, deposit, leg.amountOut, slippage.value),
    ),
    tradeType: isLimited ? 'EXACT_OUTPUT' : 'EXACT_INPUT',
    explicitDeposit: true,
    payoutAmount: netPayout(swapped),
    settlement: swapped.origin.settlement,
    surplusBps: origin.bps,
  }
}

/** The value of all inputs in the destination currency. @throws OutputTooLowError below one unit. */
function inputValue(
  order: MultiOrder,
  origins: readonly OriginSwap[],
  originValueOf: MultiPrice['originValueOf'],
): Amount {
  const values = origins.map(({ origin, leg }) =>
    originValueOf(order.origins[origin.index] as Origin, leg.amountIn),
  )
  const worth = values.reduce((sum, each) => sum + each, 0n)
  if (worth === 0n) throw new OutputTooLowError(order.destination)
  return toAmount(worth)
}

/** `amount` of the destination currency, with the sum of the USD values of the inputs. */
function paidIn(
  chain: ChainMarket,
  destination: MultiOrder['destination'],
  pricedOrigins: readonly PricedOrigin[],
  amount: Amount,
): CurrencyAmount {
  const usd = pricedOrigins.reduce<bigint | undefined>((sum, { leg: { input } }) => {
    return sum === undefined || input.usd === undefined ? undefined : sum + input.usd
  }, 0n)
  const worth = usd === undefined ? undefined : toUsd(usd)
  return { ...currencyAmount(chain, destination, amount), usd: worth }
}

/** The allowed shortfall of all deposits in the payout currency, each rounded down. */
function originSlippage(
  { payout, payoutPrice }: MultiAssetPair,
  origins: readonly OriginSwap[],
  pricedOrigins: readonly PricedOrigin[],
): Slippage {
  const value = toAmount(
    pricedOrigins.reduce((sum, { leg: { output } }) => {
      const short = toAmount(output.amount - output.minimumAmount)
      return sum + payoutFor({ deposit: output.currency, payout }, short)
    }, 0n),
  )
  const total = totalGrossPayout(origins)
  return {
    value,
    usd: usdValueDown(value, payout.decimals, payoutPrice),
    percentHundredths: (value * wholeBps) / total,
  }
}

/** The operation of all origins; if they differ, `swap` before `assetPair`. */
function operationOfAll(
  { destination }: MultiOrder,
  market: Market,
  origins: readonly OriginSwap[],
): Operation {
  const chain = market.chains.get(destination.chainId) as ChainMarket
  const operations = new Set(
    origins.map(({ origin }) =>
      operationOf({ origin: origin.currency, destination }, market, {
        origin: origin.market,
        destination: chain,
      }),
    ),
  )
  const [only, ...others] = operations
  if (only !== undefined && others.length === 0) return only
  return operations.has('swap') ? 'swap' : 'bridge'
}

function blocksOf(chain: ChainMarket, origins: readonly OriginSwap[]): MultiPrice['blocks'] {
  const [first, ...others] = new Set([...origins.map(({ origin }) => origin.market), chain])
  return [blockOf(first ?? chain), ...others.map(blockOf)]
}

/**
 * The value of all deposits on a chain: the solver waits for them together. Undefined without a price of one of them.
 */
const depositedUsd = (chain: ChainMarket, origins: readonly OriginSwap[]): Usd | undefined =>
  origins
    .filter(({ origin }) => origin.market === chain)
    .map(({ origin, leg }) => depositUsd(chain, origin.deposit, leg.amountOut))
    .reduce<Usd | undefined>(
      (sum, usd) => (sum === undefined || usd === undefined ? undefined : toUsd(sum + usd)),
      toUsd(0n),
    )

const sideOf = ({ amount, currency: { decimals } }: CurrencyAmount) => ({ amount, decimals })

/**
 * Splits the output by the arrival time of the deposits that pay for it: in proportion to their net payouts, rounded
 * down. The last arrival gets the remainder.
 */
function breakdownOf(
  { assetPair, origins }: MultiCrossChainPrice,
  output: Amount,
): MultiPrice['breakdown'] {
  const { market: destination } = assetPair.task
  const netBySeconds = new Map<number, bigint>()
  for (const each of origins) {
    const { market: origin } = each.origin
    const seconds = secondsAcross({ origin, destination }, depositedUsd(origin, origins))
    netBySeconds.set(seconds, (netBySeconds.get(seconds) ?? 0n) + netPayout(each))
  }
  const arrivals = [...netBySeconds].toSorted(([one], [other]) => one - other)
  const total = arrivals.reduce((sum, [, net]) => sum + net, 0n)
  let given = 0n
  return arrivals.map(([timeEstimate, net], at) => {
    const isLast = at === arrivals.length - 1
    const value = isLast ? output - given : (output * net) / total
    given += value
    return { value: toAmount(value), timeEstimate }
  })
}

/**
 * The value of amounts of the origins in the destination currency, rounded down. One to one if both currencies are the
 * same asset; else by USD prices; without a price, by the rates of the origin's own leg and the destination leg before
 * fees. An origin without a price that pays nothing in has no value.
 */
function createOriginValue(
  { destination, origins }: MultiOrder,
  market: Market,
  crossChainPrice: Pick<MultiCrossChainPrice, 'origins' | 'destinationLeg'>,
): MultiPrice['originValueOf'] {
  const asset = assetOf(market, destination)
  const to = usdQuoted(marketOf(market, destination), destination)
  return (origin, amount) => {
    const { currency } = origin
    if (asset !== undefined && asset === assetOf(market, currency))
      return payoutFor({ deposit: currency, payout: destination }, amount)
    const from = usdQuoted(marketOf(market, currency), currency)
    if (from !== undefined && to !== undefined) return convertDown(amount, from, to)
    const swapped = crossChainPrice.origins.find((each) => origins[each.origin.index] === origin)
    if (swapped === undefined) return toAmount(0n)
    const { amountIn, amountOut } = crossChainPrice.destinationLeg
    const payout = (amount * grossPayout(swapped)) / swapped.leg.amountIn
    return toAmount((payout * amountOut) / amountIn)
  }
}
