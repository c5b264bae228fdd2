import { payoutForUp } from '#src/core/pricing/conversion.ts'
import type { CrossChainPrice } from '#src/core/pricing/crossChain/crossChainPrice.ts'
import { depositUsd, isUnrecorded, secondsAcross } from '#src/core/pricing/deposits/timeEstimate.ts'
import { netOfShares, type RelayFees, surplusBps } from '#src/core/pricing/fees/relayFees.ts'
import { relayCostIn, relayWei } from '#src/core/pricing/fees/solverCosts.ts'
import { type TransactionSize, transactionCost, withOverhead } from '#src/core/pricing/gas/gas.ts'
import { shapeOf } from '#src/core/pricing/gas/transactionSize.ts'
import { sizesOf } from '#src/core/pricing/gas/transactionSizes.ts'
import { isOneErc20, type LegSwap } from '#src/core/pricing/leg/leg.ts'
import { assetOf, type ChainMarket, type Market } from '#src/core/pricing/market.ts'
import { isRelayed, type Order } from '#src/core/pricing/order.ts'
import type {
  CurrencyAmount,
  ExpandedPriceImpact,
  Fees,
  Impact,
  Leg,
  Operation,
  Price,
  PricedBlock,
  PricedOrigin,
} from '#src/core/pricing/price.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { divNearest, powerOfTen } from '#src/core/units/arithmetic.ts'
import { type Bps, toBps } from '#src/core/units/bps.ts'
import { type Currency, isNative, isSameCurrency } from '#src/core/units/currency.ts'
import { toUsd, type Usd, usdValueDown } from '#src/core/units/usd.ts'
import { automaticSlippage, slippageOf } from './slippage.ts'

const none = toAmount(0n)

/** An order on one chain that the user executes alone: app fees come off the input, the rest is swapped. */
export type UserSwap = Readonly<{ amountIn: Amount; app: Amount; leg: LegSwap }>

/** The price of an order that the user executes alone on one chain. */
export function summarizeSwap(
  order: Order,
  market: Market,
  chain: ChainMarket,
  swap: UserSwap,
): Price {
  const { amountIn, app, leg } = swap
  const slippageBps = toleranceOf(order, [leg], false)
  const destination = slippageIn(chain, order.destination, leg.amountOut, slippageBps)
  const origin = slippageIn(chain, order.origin, leg.amountIn, toBps(0n))
  const currencyIn = currencyAmount(chain, order.origin, amountIn)
  const currencyOut = currencyAmount(chain, order.destination, leg.amountOut, destination.value)
  const transaction = sizesOf(chain.gas).swap(shapeOf(leg), order)
  const relayCost = relayWei(order, chain, transaction)
  const relayerGas = relayCostIn(chain, relayCost, order.origin)
  const relay = { relayerGas, relayerService: none, app, subsidized: relayerGas }
  const fees = summarizeFees(order, chain, transaction, order.origin, relay)
  const whole = legOf(leg, currencyIn, currencyOut)
  return {
    ...endsOf(order, market, currencyIn, currencyOut, fees),
    operation: operationOf(order, market, { origin: chain, destination: chain }),
    slippageBps,
    slippageTolerance: { origin, destination },
    timeEstimate: Math.ceil(chain.chain.blockSeconds),
    origin: whole,
    destination: whole,
    blocks: [blockOf(chain)],
    execution: 'user',
    pricedOrigins: [],
    awaitsLiquidity: false,
    transactionGas: transaction.gas + order.originGasOverhead,
    ...(isRelayed(order) && { relayCost: inNative(chain, relayCost) }),
    refundCurrency: currencyIn,
    currencyGasTopup: undefined,
    expandedPriceImpact: expandImpact(currencyIn, currencyOut, fees, fees.relayerGas.usd),
    fixedRateFee: undefined,
  }
}

/** The price of an order that the solver fills. */
export function summarizeCrossChainPrice(
  order: Order,
  market: Market,
  crossChainPrice: CrossChainPrice,
): Price {
  const { assetPair, originLeg, depositCall, destinationLeg } = crossChainPrice
  const { origin, destination, deposit, payout, topup } = assetPair
  const slippageBps = toleranceOf(order, [originLeg, destinationLeg], true)
  const slippageTolerance = slippagesOf(order, crossChainPrice, slippageBps)
  const currencyIn = currencyAmount(origin, order.origin, originLeg.amountIn)
  const currencyOut = currencyAmount(
    destination,
    order.destination,
    destinationLeg.amountOut,
    slippageTolerance.destination.value,
  )
  const deposited = currencyAmount(
    origin,
    deposit,
    originLeg.amountOut,
    slippageTolerance.origin.value,
  )
  const spent = currencyAmount(destination, payout, destinationLeg.amountIn)
  const explicitDeposit = depositCall.isExplicit
  const ends = [order.origin, deposit] as const
  const transaction =
    order.useDepositAddress === true
      ? sizesOf(origin.gas).addressPayment(deposit.address)
      : depositCall.size
  const fees = summarizeFees(order, origin, transaction, deposit, crossChainPrice.fees)
  const executionCost = toAmount(crossChainPrice.fees.relayerGas + assetPair.flat)
  const execution = currencyAmount(origin, deposit, executionCost)
  const expandedPriceImpact = expandImpact(currencyIn, currencyOut, fees, execution.usd)
  const { service } = expandedPriceImpact
  const leg = legOf(originLeg, currencyIn, deposited)
  return {
    ...endsOf(order, market, currencyIn, currencyOut, fees),
    operation: operationOf(order, market, assetPair),
    slippageBps,
    slippageTolerance,
    timeEstimate:
      secondsAcross(assetPair, depositUsd(origin, deposit, originLeg.amountOut), {
        isUnrecorded: isUnrecorded(ends, explicitDeposit),
      }) + (crossChainPrice.awaitsLiquidity ? (order.externalLiquiditySeconds ?? 0) : 0),
    awaitsLiquidity: crossChainPrice.awaitsLiquidity,
    origin: leg,
    destination: legOf(destinationLeg, spent, currencyOut),
    blocks: origin === destination ? [blockOf(origin)] : [blockOf(origin), blockOf(destination)],
    execution: 'solver',
    pricedOrigins: [pricedOriginOf({ ...order, explicitDeposit }, crossChainPrice, leg)],
    transactionGas: transaction.gas + order.originGasOverhead,
    ...(isRelayed(order) && { relayCost: inNative(origin, depositCall.relayWei) }),
    refundCurrency: deposited,
    currencyGasTopup:
      topup === undefined
        ? undefined
        : // The top-up is fixed in US dollars: the fill converts it at the price of its own time, up to this amount.
          currencyAmount(destination, destination.chain.native, topup, topup),
    expandedPriceImpact,
    fixedRateFee:
      order.fixedRate === undefined || service === undefined ? undefined : toUsd(-service),
  }
}

const inNative = (market: ChainMarket, wei: Amount): CurrencyAmount =>
  currencyAmount(market, market.chain.native, wei)

function pricedOriginOf(
  order: Order,
  { assetPair, originLeg, payer, relayCost }: CrossChainPrice,
  leg: Leg,
): PricedOrigin {
  const { user, refundTo, tradeType, explicitDeposit } = order
  const payoutAmount = netOfShares(assetPair, payer, originLeg.amountOut)
  const settlement = payoutForUp(assetPair, assetPair.settlement)
  const sweep = assetPair.sweep && payoutForUp(assetPair, assetPair.sweep)
  const terms = {
    payoutAmount,
    settlement,
    surplusBps: surplusBps(assetPair, originLeg.amountOut),
    ...(sweep !== undefined && { sweep }),
    ...(isRelayed(order) && { relayCost: payoutForUp(assetPair, relayCost) }),
  }
  return { user, refundTo, leg, tradeType, explicitDeposit, ...terms }
}

/**
 * An exact output has no tolerance: it arrives to the unit, or the deposit is refunded. A fixed rate has none either:
 * the solver owes the output, so the deposit must not be smaller than expected.
 */
function toleranceOf(order: Order, legs: readonly LegSwap[], isCrossChain: boolean): Bps {
  if (order.tradeType === 'EXACT_OUTPUT' || order.fixedRate !== undefined) return toBps(0n)
  return order.slippageTolerance ?? automaticSlippage(legs, isCrossChain)
}

function slippagesOf(
  order: Order,
  { assetPair, originLeg, destinationLeg }: CrossChainPrice,
  bps: Bps,
) {
  const { origin, destination, deposit } = assetPair
  const originBps = originLeg.route === undefined ? toBps(0n) : bps
  return {
    origin: slippageIn(origin, deposit, originLeg.amountOut, originBps),
    destination: slippageIn(destination, order.destination, destinationLeg.amountOut, bps),
  }
}

/** The slippage that `bps` allow for an amount of a currency on the chain of the market. */
export const slippageIn = (market: ChainMarket, currency: Currency, amount: Amount, bps: Bps) =>
  slippageOf(amount, bps, currency, market.usdPrices.get(currency.address))

/** The parts of a price that both kinds of execution share. */
function endsOf(
  order: Order,
  market: Market,
  currencyIn: CurrencyAmount,
  currencyOut: CurrencyAmount,
  fees: Fees,
) {
  const input = { amount: currencyIn.amount, decimals: currencyIn.currency.decimals }
  const output = { amount: currencyOut.amount, decimals: currencyOut.currency.decimals }
  const { user, recipient, tradeType, fixedRate } = order
  const isExact = tradeType === 'EXACT_OUTPUT'
  return {
    order,
    sender: user,
    recipient,
    currencyIn,
    currencyOut,
    fees,
    ...impactsOf(currencyIn, currencyOut, fees),
    rate: rateOf(input, output),
    isFixedRate: fixedRate !== undefined || (isExact && isSameAsset(market, order)),
  }
}

/**
 * An amount of a currency on the chain of the market, with its USD value. All of it is promised, except the part that
 * may be missing.
 */
export function currencyAmount(
  market: ChainMarket,
  currency: Currency,
  amount: Amount,
  missing = none,
): CurrencyAmount {
  const price = market.usdPrices.get(currency.address)
  const usd = price && usdValueDown(amount, currency.decimals, price)
  return { currency, amount, minimumAmount: toAmount(amount - missing), usd }
}

/**
 * The fees of an order with one deposit, on its origin chain.
 * @param currency the currency of the `relay` amounts.
 */
function summarizeFees(
  order: Order,
  market: ChainMarket,
  transaction: TransactionSize,
  currency: Currency,
  relay: RelayFees,
): Fees {
  const cost = isRelayed(order) ? none : gasCost(market, transaction, order.originGasOverhead)
  return feesIn(market, currency, relay, cost)
}

/** All fees are in one currency of the market, but the gas of the user is in its native currency. */
export function feesIn(
  market: ChainMarket,
  currency: Currency,
  relay: RelayFees,
  gas: Amount,
): Fees {
  const { relayerGas, relayerService, app, subsidized } = relay
  const fee = (amount: Amount) => currencyAmount(market, currency, amount)
  return {
    gas: currencyAmount(market, market.chain.native, gas),
    relayer: fee(toAmount(relayerGas + relayerService)),
    relayerGas: fee(relayerGas),
    relayerService: fee(relayerService),
    app: fee(app),
    subsidized: fee(subsidized),
  }
}

/** The gas of a transaction of a user, in wei, rounded up. */
export const gasCost = (market: ChainMarket, size: TransactionSize, overhead: bigint): Amount =>
  transactionCost(market.gas, withOverhead(size, overhead))

/** A leg with its input and output. */
export function legOf({ route }: LegSwap, input: CurrencyAmount, output: CurrencyAmount): Leg {
  const swapSources: string[] = []
  for (const { hops } of route?.paths ?? [])
    for (const { pool } of hops)
      if (!swapSources.includes(pool.source)) swapSources.push(pool.source)
  if (swapSources.length > 1) swapSources.sort()
  const router = swapSources.length > 1 ? 'crossquote' : (swapSources[0] ?? 'relay')
  return { input, output, route, swapSources, router }
}

export const blockOf = ({ chain, block }: ChainMarket): PricedBlock => ({
  chainId: chain.id,
  ...block,
})

/** The impact of the whole order, and of its swaps alone: without relayer and app fees. */
export function impactsOf(currencyIn: CurrencyAmount, currencyOut: CurrencyAmount, fees: Fees) {
  if (currencyIn.usd === undefined || currencyOut.usd === undefined)
    return { totalImpact: undefined, swapImpact: undefined }
  const total = currencyOut.usd - currencyIn.usd
  const { relayer, app } = fees
  const swap =
    relayer.usd === undefined || app.usd === undefined ? undefined : total + relayer.usd + app.usd
  return {
    totalImpact: impactOf(total, currencyIn.usd),
    swapImpact: swap === undefined ? undefined : impactOf(swap, currencyIn.usd),
  }
}

/** A gain of `usd`, or a loss if negative, relative to the value of the input. */
export const impactOf = (usd: bigint, inputUsd: Usd): Impact => ({
  usd: toUsd(usd),
  percentHundredths: inputUsd === 0n ? 0n : divNearest(usd * 10_000n, inputUsd),
})

/**
 * The total impact by component. Execution and service add up exactly to the relayer fee, because the service takes the
 * rounding difference. The swap is the rest.
 * @param executionUsd the value of relayerGas and the flat part of relayerService together.
 */
function expandImpact(
  currencyIn: CurrencyAmount,
  currencyOut: CurrencyAmount,
  { relayer, app, subsidized }: Fees,
  executionUsd: Usd | undefined,
): ExpandedPriceImpact {
  const service = minus(executionUsd, relayer.usd)
  const total = minus(currencyOut.usd, currencyIn.usd)
  const charged = plus(relayer.usd, app.usd)
  return {
    swap: plus(total, charged),
    execution: minus(toUsd(0n), executionUsd),
    service,
    app: minus(toUsd(0n), app.usd),
    sponsored: subsidized.usd,
  }
}

const plus = (one: Usd | undefined, other: Usd | undefined): Usd | undefined =>
  one === undefined || other === undefined ? undefined : toUsd(one + other)

const minus = (one: Usd | undefined, other: Usd | undefined): Usd | undefined =>
  one === undefined || other === undefined ? undefined : toUsd(one - other)

type Ends = Pick<Order, 'origin' | 'destination'>

/** The kind of an order, by its two currencies alone. On one chain it does not depend on who swaps. */
export function operationOf(
  order: Ends,
  market: Market,
  chains: Readonly<Record<'origin' | 'destination', ChainMarket>>,
): Operation {
  const { origin, destination } = order
  if (chains.origin !== chains.destination) return isSameAsset(market, order) ? 'bridge' : 'swap'
  if (!isOneErc20(chains.origin, origin, destination)) return 'swap'
  if (isSameCurrency(origin, destination)) return 'send'
  return isNative(origin.address) ? 'wrap' : 'unwrap'
}

/** Whether both currencies are the same asset, so that nothing is traded. */
function isSameAsset(market: Market, { origin, destination }: Ends): boolean {
  if (isSameCurrency(origin, destination)) return true
  const asset = assetOf(market, origin)
  return asset !== undefined && asset === assetOf(market, destination)
}

type RateAmount = Readonly<{ amount: Amount; decimals: number }>

const significantDigits = 18

/**
 * Whole units of output per whole unit of input, as decimal text of at most 18 significant digits, rounded down,
 * without trailing zeros. `input.amount` must be positive.
 */
export function rateOf(input: RateAmount, output: RateAmount): string {
  const dividend = output.amount * powerOfTen(input.decimals)
  const divisor = input.amount * powerOfTen(output.decimals)
  const magnitude = dividend.toString().length - divisor.toString().length
  const places = Math.max(0, significantDigits - magnitude)
  const digits = ((dividend * powerOfTen(places)) / divisor).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
