import { type Amount, toAmount } from '#src/units/amount.ts'
import { type Bps, toBps } from '#src/units/bps.ts'
import { type Currency, isNative, isSameCurrency } from '#src/units/currency.ts'
import { assetOf } from './asset.ts'
import type { Crossing } from './crossing.ts'
import { currencyAmount } from './currencyAmount.ts'
import { expandImpact } from './expandImpact.ts'
import { type TransactionSize, transactionCost } from './gas.ts'
import { impactOf } from './impact.ts'
import { isOneErc20, type LegSwap } from './leg.ts'
import type { ChainMarket, Market } from './market.ts'
import type { Order } from './order.ts'
import type { CurrencyAmount, Fees, Leg, Operation, Price, PricedBlock } from './price.ts'
import { rateOf } from './rate.ts'
import type { Bridge, RelayFees } from './relay.ts'
import type { SameChainSwap } from './sameChain.ts'
import { automaticSlippage, slippageOf } from './slippage.ts'
import { depositTransaction, shapeOf, swapTransaction } from './transactionSize.ts'

const none = toAmount(0n)

/** The price of an order that the user executes alone on one chain. */
export function summarizeSwap(order: Order, market: ChainMarket, swap: SameChainSwap): Price {
  const { amountIn, app, leg } = swap
  const slippageBps = toleranceOf(order, [leg], false)
  const destination = slippageIn(market, order.destination, leg.amountOut, slippageBps)
  const currencyIn = currencyAmount(market, order.origin, amountIn)
  const currencyOut = currencyAmount(
    market,
    order.destination,
    leg.amountOut,
    toAmount(leg.amountOut - destination.value),
  )
  const fees = feesOf(market, order.origin, {
    transaction: swapTransaction(shapeOf(leg), app > 0n || order.recipient !== order.user),
    gasOverhead: order.originGasOverhead,
    relay: { relayerGas: none, relayerService: none, app },
  })
  const whole = legOf(leg, currencyIn, currencyOut)
  return {
    ...endsOf(order, currencyIn, currencyOut, fees),
    operation: operationOnOneChain(market, order),
    slippageBps,
    slippageTolerance: {
      origin: slippageIn(market, order.origin, leg.amountIn, toBps(0n)),
      destination,
    },
    timeEstimate: Math.ceil(market.chain.blockSeconds),
    origin: whole,
    destination: whole,
    blocks: [blockOf(market)],
    execution: 'user',
    refundCurrency: currencyIn,
    expandedPriceImpact: expandImpact(currencyIn, currencyOut, fees, fees.relayerGas.usd),
    isFixedRate: isFixed(order, leg.route === undefined),
  }
}

/** The price of an order that the solver fills on another chain. */
export function summarizeCrossing(order: Order, market: Market, crossing: Crossing): Price {
  const { bridge, originLeg, destinationLeg } = crossing
  const { origin, destination, deposit, payout } = bridge
  const slippageBps = toleranceOf(order, [originLeg, destinationLeg], true)
  const originBps = originLeg.route === undefined ? toBps(0n) : slippageBps
  const slippageTolerance = {
    origin: slippageIn(origin, deposit, originLeg.amountOut, originBps),
    destination: slippageIn(destination, order.destination, destinationLeg.amountOut, slippageBps),
  }
  const least = ({ amountOut }: LegSwap, side: keyof typeof slippageTolerance) =>
    toAmount(amountOut - slippageTolerance[side].value)
  const currencyIn = currencyAmount(origin, order.origin, originLeg.amountIn)
  const currencyOut = currencyAmount(
    destination,
    order.destination,
    destinationLeg.amountOut,
    least(destinationLeg, 'destination'),
  )
  const deposited = currencyAmount(origin, deposit, originLeg.amountOut, least(originLeg, 'origin'))
  const spent = currencyAmount(destination, payout, destinationLeg.amountIn)
  const fees = feesOf(origin, deposit, {
    transaction: depositTransaction(shapeOf(originLeg), order.explicitDeposit),
    gasOverhead: order.originGasOverhead,
    relay: crossing.fees,
  })
  const executionCost = toAmount(crossing.fees.relayerGas + bridge.flat)
  const execution = currencyAmount(origin, deposit, executionCost)
  const asset = assetOf(market, order.origin)
  const isBridge = asset !== undefined && asset === assetOf(market, order.destination)
  return {
    ...endsOf(order, currencyIn, currencyOut, fees),
    operation: operationOf(order, bridge, isBridge),
    slippageBps,
    slippageTolerance,
    timeEstimate: secondsAcross(origin, destination),
    origin: legOf(originLeg, currencyIn, deposited),
    destination: legOf(destinationLeg, spent, currencyOut),
    blocks: origin === destination ? [blockOf(origin)] : [blockOf(origin), blockOf(destination)],
    execution: 'solver',
    refundCurrency: deposited,
    expandedPriceImpact: expandImpact(currencyIn, currencyOut, fees, execution.usd),
    isFixedRate: isFixed(order, isBridge),
  }
}

/** An exact output has no tolerance: it arrives to the unit, or the deposit is refunded. */
function toleranceOf(order: Order, legs: readonly LegSwap[], crosses: boolean): Bps {
  if (order.tradeType === 'EXACT_OUTPUT') return toBps(0n)
  return order.slippageTolerance ?? automaticSlippage(legs, crosses)
}

const slippageIn = (market: ChainMarket, currency: Currency, amount: Amount, bps: Bps) =>
  slippageOf(amount, bps, currency, market.usdPrices.get(currency.address))

function feesOf(
  market: ChainMarket,
  currency: Currency,
  charged: Readonly<{ transaction: TransactionSize; gasOverhead: bigint; relay: RelayFees }>,
): Fees {
  const { relayerGas, relayerService, app } = charged.relay
  const fee = (amount: Amount) => currencyAmount(market, currency, amount)
  const { gas: ownGas, bytes } = charged.transaction
  const gas = transactionCost(market.gas, { gas: ownGas + charged.gasOverhead, bytes })
  return {
    gas: currencyAmount(market, market.chain.native, gas),
    relayer: fee(toAmount(relayerGas + relayerService)),
    relayerGas: fee(relayerGas),
    relayerService: fee(relayerService),
    app: fee(app),
    // A price names no sponsor; only a quote can.
    subsidized: fee(none),
  }
}

/** What follows from the two ends and the fees between them. */
function endsOf(order: Order, currencyIn: CurrencyAmount, currencyOut: CurrencyAmount, fees: Fees) {
  const input = { amount: currencyIn.amount, decimals: currencyIn.currency.decimals }
  const output = { amount: currencyOut.amount, decimals: currencyOut.currency.decimals }
  return {
    order,
    sender: order.user,
    recipient: order.recipient,
    currencyGasTopup: undefined,
    fixedRateFee: undefined,
    currencyIn,
    currencyOut,
    fees,
    ...impactsOf(currencyIn, currencyOut, fees),
    rate: rateOf(input, output),
  }
}

function impactsOf(currencyIn: CurrencyAmount, currencyOut: CurrencyAmount, fees: Fees) {
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

/** An exact output of the same asset depends on no market. */
const isFixed = ({ tradeType }: Order, isSameAsset: boolean): boolean =>
  isSameAsset && tradeType === 'EXACT_OUTPUT'

function operationOf(order: Order, { origin, destination }: Bridge, isBridge: boolean): Operation {
  if (origin === destination) return operationOnOneChain(origin, order)
  return isBridge ? 'bridge' : 'swap'
}

function operationOnOneChain(market: ChainMarket, { origin, destination }: Order): Operation {
  if (!isOneErc20(market, origin, destination)) return 'swap'
  if (isSameCurrency(origin, destination)) return 'send'
  return isNative(origin.address) ? 'wrap' : 'unwrap'
}

function legOf({ route }: LegSwap, input: CurrencyAmount, output: CurrencyAmount): Leg {
  const hops = route?.paths.flatMap((path) => path.hops) ?? []
  const swapSources = [...new Set(hops.map(({ pool }) => pool.source))].sort()
  const [router = 'relay', ...others] = swapSources
  return { input, output, route, swapSources, router: others.length === 0 ? router : 'crossquote' }
}

/** The deposit is mined and confirmed, then the fill is mined; the solver itself takes no block. */
function secondsAcross(origin: ChainMarket, destination: ChainMarket): number {
  const blocks = 1 + origin.chain.depositConfirmations
  return Math.ceil(blocks * origin.chain.blockSeconds + destination.chain.blockSeconds)
}

const blockOf = ({ chain, block }: ChainMarket): PricedBlock => ({ chainId: chain.id, ...block })
