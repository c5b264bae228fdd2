import type { CrossChainPrice } from '#src/core/pricing/crossChain/crossChainPrice.ts'
import type { SameChainSwap } from '#src/core/pricing/crossChain/sameChain.ts'
import { isExplicit, isUnrecorded } from '#src/core/pricing/deposits/plainTransfer.ts'
import { depositUsd, secondsAcross } from '#src/core/pricing/deposits/timeEstimate.ts'
import { summarizeFees } from '#src/core/pricing/fees/feeSummary.ts'
import { relayCostIn, relayWei } from '#src/core/pricing/fees/relayCost.ts'
import { proportionalBps } from '#src/core/pricing/fees/relayFees.ts'
import { appBps, payoutFor, shareUp } from '#src/core/pricing/fees/shares.ts'
import {
  addressPayment,
  depositTransaction,
  shapeOf,
  swapTransaction,
} from '#src/core/pricing/gas/transactionSize.ts'
import type { LegSwap } from '#src/core/pricing/leg/leg.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { isRelayed } from '#src/core/pricing/permits.ts'
import type {
  CurrencyAmount,
  Fees,
  Leg,
  Price,
  PricedBlock,
  PricedOrigin,
} from '#src/core/pricing/price.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { type Bps, toBps, wholeBps } from '#src/core/units/bps.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { currencyAmount } from './currencyAmount.ts'
import { expandImpact, impactsOf } from './impact.ts'
import { isSameAsset, operationOf } from './operation.ts'
import { rateOf } from './rate.ts'
import { automaticSlippage, slippageOf } from './slippage.ts'

const none = toAmount(0n)

/** The price of an order that the user executes alone on one chain. */
export function summarizeSwap(
  order: Order,
  market: Market,
  chain: ChainMarket,
  swap: SameChainSwap,
): Price {
  const { amountIn, app, leg } = swap
  const slippageBps = toleranceOf(order, [leg], false)
  const destination = slippageIn(chain, order.destination, leg.amountOut, slippageBps)
  const origin = slippageIn(chain, order.origin, leg.amountIn, toBps(0n))
  const currencyIn = currencyAmount(chain, order.origin, amountIn)
  const minimum = toAmount(leg.amountOut - destination.value)
  const currencyOut = currencyAmount(chain, order.destination, leg.amountOut, minimum)
  const transaction = swapTransaction(shapeOf(leg), order)
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
  const { assetPair, originLeg, destinationLeg } = crossChainPrice
  const { origin, destination, deposit, payout, topup } = assetPair
  const slippageBps = toleranceOf(order, [originLeg, destinationLeg], true)
  const slippageTolerance = slippagesOf(order, crossChainPrice, slippageBps)
  const minimum = ({ amountOut }: LegSwap, side: keyof typeof slippageTolerance) =>
    toAmount(amountOut - slippageTolerance[side].value)
  const currencyIn = currencyAmount(origin, order.origin, originLeg.amountIn)
  const currencyOut = currencyAmount(
    destination,
    order.destination,
    destinationLeg.amountOut,
    minimum(destinationLeg, 'destination'),
  )
  const deposited = currencyAmount(
    origin,
    deposit,
    originLeg.amountOut,
    minimum(originLeg, 'origin'),
  )
  const spent = currencyAmount(destination, payout, destinationLeg.amountIn)
  const explicitDeposit = isExplicit(order, origin, deposit, originLeg.amountOut)
  const ends = [order.origin, deposit] as const
  const shape = shapeOf(originLeg)
  const transaction =
    order.useDepositAddress === true
      ? addressPayment(deposit.address)
      : depositTransaction(shape, explicitDeposit, order.permit?.kind)
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
    ...(isRelayed(order) && { relayCost: inNative(origin, relayWei(order, origin, transaction)) }),
    refundCurrency: deposited,
    currencyGasTopup:
      topup === undefined
        ? undefined
        : // The top-up is fixed in US dollars: the fill converts it at the price of its own time, up to this amount.
          currencyAmount(destination, destination.chain.native, topup, none),
    expandedPriceImpact,
    fixedRateFee:
      order.fixedRate === undefined || service === undefined ? undefined : toUsd(-service),
  }
}

const inNative = (market: ChainMarket, wei: Amount): CurrencyAmount =>
  currencyAmount(market, market.chain.native, wei)

function pricedOriginOf(
  order: Order,
  { assetPair, originLeg, fees, relayCost }: CrossChainPrice,
  leg: Leg,
): PricedOrigin {
  const { user, refundTo, tradeType, explicitDeposit } = order
  const isSponsored = fees.subsidized > 0n
  const bps = isSponsored ? appBps(order.appFees) : proportionalBps(order, assetPair)
  const net = toAmount(originLeg.amountOut - shareUp(originLeg.amountOut, bps))
  const payoutAmount = payoutFor(assetPair, net)
  const surplusBps = wholeAtMost(proportionalBps(order, assetPair))
  const settlement = payoutFor(assetPair, assetPair.settlement)
  const sweep = assetPair.sweep && payoutFor(assetPair, assetPair.sweep)
  const terms = {
    payoutAmount,
    settlement,
    surplusBps,
    ...(sweep !== undefined && { sweep }),
    ...(isRelayed(order) && { relayCost: payoutFor(assetPair, relayCost) }),
  }
  return { user, refundTo, leg, tradeType, explicitDeposit, ...terms }
}

/** A fixed rate and app fees can be more than 100 % together. */
function wholeAtMost(bps: bigint): Bps {
  if (bps > wholeBps) return toBps(wholeBps)
  return toBps(bps)
}

/**
 * An exact output has no tolerance: it arrives to the unit, or the deposit is refunded. A fixed rate has none either: the
 * solver owes the output, so the deposit must not be smaller than expected.
 */
function toleranceOf(order: Order, legs: readonly LegSwap[], crosses: boolean): Bps {
  if (order.tradeType === 'EXACT_OUTPUT' || order.fixedRate !== undefined) return toBps(0n)
  return order.slippageTolerance ?? automaticSlippage(legs, crosses)
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

/** A leg with its input and output. */
export function legOf({ route }: LegSwap, input: CurrencyAmount, output: CurrencyAmount): Leg {
  const hops = route?.paths.flatMap((path) => path.hops) ?? []
  const swapSources = [...new Set(hops.map(({ pool }) => pool.source))].sort()
  const [router = 'relay', ...others] = swapSources
  return { input, output, route, swapSources, router: others.length === 0 ? router : 'crossquote' }
}

export const blockOf = ({ chain, block }: ChainMarket): PricedBlock => ({
  chainId: chain.id,
  ...block,
})
