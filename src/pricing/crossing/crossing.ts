import type { SwapMode } from '#src/pools/pool.ts'
import { fillCost, minFillCost, sponsoredFillCost } from '#src/pricing/fees/fillCost.ts'
import {
  chargedDeposit,
  chargedFees,
  minDeposit,
  type RelayFees,
  sponsoredDeposit,
  sponsoredFees,
  sponsoredSpend,
} from '#src/pricing/fees/relayFees.ts'
import { depositFor } from '#src/pricing/fees/shares.ts'
import { shapeOf } from '#src/pricing/gas/transactionSize.ts'
import { type LegSwap, type LegTask, swapLeg } from '#src/pricing/leg/leg.ts'
import { legFailure } from '#src/pricing/leg/legFailure.ts'
import { OutputTooLowError } from '#src/pricing/leg/outputTooLowError.ts'
import type { Order } from '#src/pricing/order.ts'
import type { Amount } from '#src/units/amount.ts'
import { AmountTooLowError } from './amountTooLowError.ts'
import type { Bridge } from './bridge.ts'
import { awaitsLiquidity } from './solverBalance.ts'

/** An order that the solver fills, over one bridge: origin leg, relay, destination leg. */
export type Crossing = Readonly<{
  bridge: Bridge
  /** From currencyIn to the deposit. */
  originLeg: LegSwap
  fees: RelayFees
  /** From the payout to currencyOut. */
  destinationLeg: LegSwap
  /** Whether the solver holds less than it spends, and the order may wait for the rest. */
  awaitsLiquidity: boolean
}>

/**
 * Prices `order` over `bridge`, from the given amount to the other one.
 * @throws AppError that names the failing leg.
 */
export function cross(order: Order, bridge: Bridge): Crossing
/** @returns `undefined` if an exact input turns out to be not worthwhile. */
export function cross(order: Order, bridge: Bridge, worth: Worth): Crossing | undefined
export function cross(
  order: Order,
  bridge: Bridge,
  worth: Worth = { afterOrigin: () => true, upTo: () => true },
): Crossing | undefined {
  return order.tradeType === 'EXACT_INPUT'
    ? crossExactInput(order, bridge, worth)
    : crossExactOutput(order, bridge, order.amount)
}

/** Whether to go on with an exact input. */
export type Worth = Readonly<{
  afterOrigin: (originLeg: LegSwap) => boolean
  /** If it gives at most so much. */
  upTo: (originLeg: LegSwap, amountOut: Amount) => boolean
}>

function crossExactInput(order: Order, bridge: Bridge, worth: Worth): Crossing | undefined {
  const originLeg = swap('origin', bridge.legs.origin, 'exactInput', order.amount)
  if (!worth.afterOrigin(originLeg)) return undefined
  const relayed =
    relaySponsored(order, bridge, originLeg.amountOut) ??
    relayCharged(order, bridge, originLeg.amountOut, (most) => worth.upTo(originLeg, most))
  return relayed && { bridge, originLeg, ...relayed }
}

type Relayed = Pick<Crossing, 'fees' | 'destinationLeg' | 'awaitsLiquidity'>

/** @param isWorthwhile whether to go on if the output is at most this. */
function relayCharged(
  order: Order,
  bridge: Bridge,
  deposit: Amount,
  isWorthwhile: (most: Amount) => boolean,
): Relayed | undefined {
  // The gas of the fill depends on the destination leg, and the leg on what the gas leaves. The reserved gas only
  // rises, so that the output only falls, and the gas of a route is bounded. So the loop ends, nearly always in the
  // second round.
  let reserved = minFillCost(bridge, order.destination)
  for (;;) {
    const { fees, total, spend } = chargedFees(order, bridge, deposit, reserved)
    if (total >= deposit)
      throw new AmountTooLowError(
        total,
        bridge.deposit,
        minInput(order, bridge, reserved),
        order.origin,
      )
    if (spend === 0n) throw new OutputTooLowError(bridge.payout)
    const waits = awaitsLiquidity(order, bridge, spend)
    const destinationLeg = swap('destination', bridge.legs.destination, 'exactInput', spend)
    const needed = fillCost(bridge, shapeOf(destinationLeg))
    if (needed <= reserved) return { fees, destinationLeg, awaitsLiquidity: waits }
    if (!isWorthwhile(destinationLeg.amountOut)) return undefined
    reserved = needed
  }
}

/** The relay if a sponsor pays all fees but the app fees; `undefined` if none does. */
function relaySponsored(order: Order, bridge: Bridge, deposit: Amount): Relayed | undefined {
  if (order.sponsorship === undefined) return undefined
  const minGas = minFillCost(bridge, order.destination)
  if (sponsoredFees(order, bridge, deposit, minGas) === undefined) return undefined
  const spend = sponsoredSpend(order, bridge, deposit)
  if (spend === 0n) throw new OutputTooLowError(bridge.payout)
  const waits = awaitsLiquidity(order, bridge, spend)
  const destinationLeg = swap('destination', bridge.legs.destination, 'exactInput', spend)
  const relayerGas = sponsoredFillCost(bridge, shapeOf(destinationLeg))
  const fees = sponsoredFees(order, bridge, deposit, relayerGas)
  return fees && { fees, destinationLeg, awaitsLiquidity: waits }
}

/** The smallest input whose deposit covers the fees; `undefined` if there is none. */
function minInput(order: Order, bridge: Bridge, relayerGas: Amount): Amount | undefined {
  const deposit = minDeposit(order, bridge, relayerGas)
  return deposit && swapLeg(bridge.legs.origin, 'exactOutput', deposit)?.amountIn
}

/** Prices an order for `output` to the unit, with the smallest deposit that pays for it. */
function crossExactOutput(order: Order, bridge: Bridge, output: Amount): Crossing {
  const destinationLeg = swap('destination', bridge.legs.destination, 'exactOutput', output)
  const waits = awaitsLiquidity(order, bridge, destinationLeg.amountIn)
  const spend = depositFor(bridge, destinationLeg.amountIn)
  const shape = shapeOf(destinationLeg)
  const priced =
    sponsoredDeposit(order, bridge, spend, sponsoredFillCost(bridge, shape)) ??
    chargedDeposit(order, bridge, spend, fillCost(bridge, shape))
  if (priced === undefined)
    throw new AmountTooLowError(spend, bridge.deposit, undefined, order.origin)
  const { deposit, fees } = priced
  const originLeg = swap('origin', bridge.legs.origin, 'exactOutput', deposit)
  return { bridge, originLeg, fees, destinationLeg, awaitsLiquidity: waits }
}

function swap(
  leg: 'origin' | 'destination',
  task: LegTask,
  mode: SwapMode,
  amount: Amount,
): LegSwap {
  const swapped = swapLeg(task, mode, amount)
  if (swapped === undefined) throw legFailure(leg, task, mode, amount)
  return swapped
}
