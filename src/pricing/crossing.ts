import { type Amount, toAmount } from '#src/units/amount.ts'
import { AmountTooLowError, OutputTooLowError, SolverBalanceError } from './failures.ts'
import { type LegSwap, swapLeg } from './leg.ts'
import { legFailure } from './legFailure.ts'
import type { Order } from './order.ts'
import {
  appBps,
  type Bridge,
  depositFor,
  fillCost,
  grossUp,
  payoutFor,
  type RelayFees,
  sharesOn,
} from './relay.ts'
import { leastShape, shapeOf } from './transactionSize.ts'

/** An order across two chains over one bridge: origin leg, relay, destination leg. */
export type Crossing = Readonly<{
  bridge: Bridge
  /** From currencyIn to the deposit. */
  originLeg: LegSwap
  fees: RelayFees
  /** From the payout to currencyOut. */
  destinationLeg: LegSwap
}>

/**
 * `order` over `bridge`, from the given side to the other.
 * @throws AppError that names the leg that fails.
 */
export const cross = (order: Order, bridge: Bridge): Crossing =>
  order.tradeType === 'EXACT_INPUT'
    ? crossExactInput(order, bridge)
    : crossExactOutput(order, bridge, order.amount)

function crossExactInput(order: Order, bridge: Bridge): Crossing {
  const originLeg = swapLeg(bridge.legs.origin, 'exactInput', order.amount)
  if (originLeg === undefined)
    throw legFailure('origin', bridge.legs.origin, 'exactInput', order.amount)
  const deposit = originLeg.amountOut

  // The fill's gas depends on the destination leg, and the leg on what the gas leaves. The gas that is
  // set aside only rises, and a route's gas is bounded: the rounds end, nearly always with the second.
  const least = leastShape(bridge.destination, bridge.payout, order.destination)
  let reserved = fillCost(bridge, least)
  for (;;) {
    const { fees, spend } = feesOn(order, bridge, deposit, reserved)
    checkSolverBalance(order, bridge, spend)
    const destinationLeg = destinationSwap(bridge, spend)
    const needed = fillCost(bridge, shapeOf(destinationLeg))
    if (needed <= reserved) return { bridge, originLeg, fees, destinationLeg }
    reserved = needed
  }
}

function feesOn(
  order: Order,
  bridge: Bridge,
  deposit: Amount,
  relayerGas: Amount,
): Readonly<{ fees: RelayFees; spend: Amount }> {
  const app = sharesOn(deposit, appBps(order.appFees))
  const service = bridge.flat + sharesOn(deposit, allBps(order, bridge)) - app
  const rest = deposit - relayerGas - service - app
  if (rest <= 0n)
    throw new AmountTooLowError(
      toAmount(relayerGas + service + app),
      bridge.deposit,
      leastInput(order, bridge, relayerGas),
      order.origin,
    )
  const spend = payoutFor(bridge, toAmount(rest))
  if (spend === 0n) throw new OutputTooLowError(bridge.payout)
  // What is finer than the payout's smallest unit cannot be paid out: it joins the service fee.
  const dust = rest - depositFor(bridge, spend)
  return { fees: { relayerGas, relayerService: toAmount(service + dust), app }, spend }
}

/** The least input whose deposit covers the fees; `undefined` where none does. */
function leastInput(order: Order, bridge: Bridge, relayerGas: Amount): Amount | undefined {
  const least = relayerGas + bridge.flat + depositFor(bridge, toAmount(1n))
  const deposit = grossUp(least, allBps(order, bridge))
  if (deposit === undefined) return undefined
  return swapLeg(bridge.legs.origin, 'exactOutput', deposit)?.amountIn
}

function destinationSwap({ legs }: Bridge, spend: Amount): LegSwap {
  const leg = swapLeg(legs.destination, 'exactInput', spend)
  if (leg === undefined) throw legFailure('destination', legs.destination, 'exactInput', spend)
  return leg
}

/** `output` arrives to the unit; the deposit is the least that pays for it. */
function crossExactOutput(order: Order, bridge: Bridge, output: Amount): Crossing {
  const { deposit, legs } = bridge
  const destinationLeg = swapLeg(legs.destination, 'exactOutput', output)
  if (destinationLeg === undefined)
    throw legFailure('destination', legs.destination, 'exactOutput', output)
  checkSolverBalance(order, bridge, destinationLeg.amountIn)

  const spend = depositFor(bridge, destinationLeg.amountIn)
  const relayerGas = fillCost(bridge, shapeOf(destinationLeg))
  const amount = grossUp(spend + relayerGas + bridge.flat, allBps(order, bridge))
  if (amount === undefined) throw new AmountTooLowError(spend, deposit, undefined, order.origin)
  const originLeg = swapLeg(legs.origin, 'exactOutput', amount)
  if (originLeg === undefined) throw legFailure('origin', legs.origin, 'exactOutput', amount)

  const app = sharesOn(amount, appBps(order.appFees))
  const relayerService = toAmount(amount - spend - relayerGas - app)
  return { bridge, originLeg, fees: { relayerGas, relayerService, app }, destinationLeg }
}

function checkSolverBalance(order: Order, bridge: Bridge, spend: Amount): void {
  const { destination, payout } = bridge
  const balance = destination.solverBalances.get(payout.address) ?? toAmount(0n)
  if (spend <= balance) return
  const limit = balance === 0n ? undefined : largestAmount(order, bridge, balance)
  throw new SolverBalanceError(payout, { needed: spend, balance }, limit)
}

/** The order's amount for which the solver spends all of `balance`; undefined where no pools bear it. */
function largestAmount(order: Order, bridge: Bridge, balance: Amount) {
  const { legs } = bridge
  if (order.tradeType !== 'EXACT_INPUT') {
    const leg = swapLeg(legs.destination, 'exactInput', balance)
    return leg && { amount: leg.amountOut, currency: order.destination }
  }
  const amount = grossUp(depositFor(bridge, balance) + bridge.flat, allBps(order, bridge))
  if (amount === undefined) return undefined
  const leg = swapLeg(legs.origin, 'exactOutput', amount)
  return leg && { amount: leg.amountIn, currency: order.origin }
}

/** All that is taken in proportion to the deposit. */
const allBps = (order: Order, bridge: Bridge): bigint => bridge.bps + appBps(order.appFees)
