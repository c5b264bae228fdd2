import type { SwapMode } from '#src/pools/pool.ts'
import { AmountTooLowError, OutputTooLowError } from '#src/pricing/failures.ts'
import {
  allBps,
  appBps,
  type Bridge,
  depositFor,
  fillCost,
  grossUp,
  payoutFor,
  type RelayFees,
  sharesOn,
} from '#src/pricing/fees/relayFees.ts'
import { leastShape, shapeOf } from '#src/pricing/gas/transactionSize.ts'
import { type LegSwap, type LegTask, swapLeg } from '#src/pricing/leg/leg.ts'
import { legFailure } from '#src/pricing/leg/legFailure.ts'
import type { Order } from '#src/pricing/order.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { usdOf } from '#src/units/usd.ts'
import { checkSolverBalance } from './solverBalance.ts'

/** An order that the solver fills, over one bridge: origin leg, relay, destination leg. */
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
  const originLeg = swap('origin', bridge.legs.origin, 'exactInput', order.amount)
  const relayed =
    relaySponsored(order, bridge, originLeg.amountOut) ??
    relayCharged(order, bridge, originLeg.amountOut)
  return { bridge, originLeg, ...relayed }
}

type Relayed = Pick<Crossing, 'fees' | 'destinationLeg'>

function relayCharged(order: Order, bridge: Bridge, deposit: Amount): Relayed {
  // The fill's gas depends on the destination leg, and the leg on what the gas leaves. The gas that is
  // set aside only rises, and a route's gas is bounded: the rounds end, nearly always with the second.
  let reserved = leastFillCost(order, bridge)
  for (;;) {
    const { fees, spend } = feesOn(order, bridge, deposit, reserved)
    checkSolverBalance(order, bridge, spend)
    const destinationLeg = swap('destination', bridge.legs.destination, 'exactInput', spend)
    const needed = fillCost(bridge, shapeOf(destinationLeg))
    if (needed <= reserved) return { fees, destinationLeg }
    reserved = needed
  }
}

/** Nothing but app fees comes off the deposit; `undefined` where no sponsor pays the rest. */
function relaySponsored(order: Order, bridge: Bridge, deposit: Amount): Relayed | undefined {
  if (order.sponsorship === undefined) return undefined
  const least = sponsoredFees(order, bridge, deposit, leastFillCost(order, bridge))
  if (least === undefined) return undefined
  // What is finer than the payout's smallest unit stays with the solver, as no fee of the user's.
  const spend = payoutFor(bridge, toAmount(deposit - least.app))
  if (spend === 0n) throw new OutputTooLowError(bridge.payout)
  checkSolverBalance(order, bridge, spend)
  const destinationLeg = swap('destination', bridge.legs.destination, 'exactInput', spend)
  const relayerGas = fillCost(bridge, shapeOf(destinationLeg))
  const fees = sponsoredFees(order, bridge, deposit, relayerGas)
  return fees && { fees, destinationLeg }
}

/** The fees on `deposit` where the sponsor pays them; `undefined` where they are worth too much, or none knows what. */
function sponsoredFees(
  order: Order,
  bridge: Bridge,
  deposit: Amount,
  relayerGas: Amount,
): RelayFees | undefined {
  if (order.sponsorship === undefined) return undefined
  const { most } = order.sponsorship
  const app = sharesOn(deposit, appBps(order.appFees))
  const relayerService = toAmount(bridge.flat + sharesOn(deposit, allBps(order, bridge)) - app)
  const relayer = toAmount(relayerGas + relayerService)
  const price = bridge.origin.usdPrices.get(bridge.deposit.address)
  if (price === undefined) return undefined
  if (most !== undefined && usdOf(relayer, bridge.deposit.decimals, price) > most) return undefined
  return { relayerGas, relayerService, app, subsidized: relayer }
}

const leastFillCost = (order: Order, bridge: Bridge): Amount =>
  fillCost(bridge, leastShape(bridge.destination, bridge.payout, order.destination))

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
  const relayerService = toAmount(service + dust)
  return { fees: { relayerGas, relayerService, app, subsidized: none }, spend }
}

const none = toAmount(0n)

/** The least input whose deposit covers the fees; `undefined` where none does. */
function leastInput(order: Order, bridge: Bridge, relayerGas: Amount): Amount | undefined {
  const least = relayerGas + bridge.flat + depositFor(bridge, toAmount(1n))
  const deposit = grossUp(least, allBps(order, bridge))
  if (deposit === undefined) return undefined
  return swapLeg(bridge.legs.origin, 'exactOutput', deposit)?.amountIn
}

/** `output` arrives to the unit; the deposit is the least that pays for it. */
function crossExactOutput(order: Order, bridge: Bridge, output: Amount): Crossing {
  const destinationLeg = swap('destination', bridge.legs.destination, 'exactOutput', output)
  checkSolverBalance(order, bridge, destinationLeg.amountIn)
  const spend = depositFor(bridge, destinationLeg.amountIn)
  const relayerGas = fillCost(bridge, shapeOf(destinationLeg))
  const { deposit, fees } =
    depositSponsored(order, bridge, spend, relayerGas) ??
    depositCharged(order, bridge, spend, relayerGas)
  const originLeg = swap('origin', bridge.legs.origin, 'exactOutput', deposit)
  return { bridge, originLeg, fees, destinationLeg }
}

type Deposited = Readonly<{ deposit: Amount; fees: RelayFees }>

function depositCharged(
  order: Order,
  bridge: Bridge,
  spend: Amount,
  relayerGas: Amount,
): Deposited {
  const deposit = grossUp(spend + relayerGas + bridge.flat, allBps(order, bridge))
  if (deposit === undefined)
    throw new AmountTooLowError(spend, bridge.deposit, undefined, order.origin)
  const app = sharesOn(deposit, appBps(order.appFees))
  const relayerService = toAmount(deposit - spend - relayerGas - app)
  return { deposit, fees: { relayerGas, relayerService, app, subsidized: none } }
}

function depositSponsored(
  order: Order,
  bridge: Bridge,
  spend: Amount,
  relayerGas: Amount,
): Deposited | undefined {
  const deposit = grossUp(spend, appBps(order.appFees))
  if (deposit === undefined) return undefined
  const fees = sponsoredFees(order, bridge, deposit, relayerGas)
  return fees && { deposit, fees }
}

function swap(
  leg: 'origin' | 'destination',
  task: LegTask,
  kind: SwapMode,
  amount: Amount,
): LegSwap {
  const swapped = swapLeg(task, kind, amount)
  if (swapped === undefined) throw legFailure(leg, task, kind, amount)
  return swapped
}
