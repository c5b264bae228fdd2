import type { SwapMode } from '#src/core/pools/swapMode.ts'
import { fillCost, minFillCost, sponsoredFillCost } from '#src/core/pricing/fees/fillCost.ts'
import { depositRelayCost } from '#src/core/pricing/fees/relayCost.ts'
import {
  chargedDeposit,
  chargedFees,
  minDeposit,
  type RelayFees,
  sponsoredDeposit,
  sponsoredFees,
  sponsoredSpend,
} from '#src/core/pricing/fees/relayFees.ts'
import { depositFor } from '#src/core/pricing/fees/shares.ts'
import { minShape, shapeOf } from '#src/core/pricing/gas/transactionSize.ts'
import { type LegSwap, type LegTask, plannedAmount, swapLeg } from '#src/core/pricing/leg/leg.ts'
import { legFailure } from '#src/core/pricing/leg/legFailure.ts'
import { OutputTooLowError } from '#src/core/pricing/leg/outputTooLowError.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { checkSettlement } from '#src/core/pricing/settlement.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { AmountTooLowError } from './amountTooLowError.ts'
import type { Bridge } from './bridge.ts'
import { awaitsLiquidity } from './solverBalance.ts'

/** An order that the solver fills, over one bridge: origin leg, relay, destination leg. */
export type Crossing = Readonly<{
  bridge: Bridge
  /** From currencyIn to the deposit. */
  originLeg: LegSwap
  fees: RelayFees
  /** The part of `fees.relayerGas` that pays for sending a signed deposit. */
  relayCost: Amount
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
/** @returns `undefined` if `shouldContinue` ends the pricing of an exact input. */
export function cross(
  order: Order,
  bridge: Bridge,
  shouldContinue: ShouldContinue,
): Crossing | undefined
export function cross(
  order: Order,
  bridge: Bridge,
  shouldContinue: ShouldContinue = { afterOrigin: () => true, withMaxOutput: () => true },
): Crossing | undefined {
  const crossing =
    order.tradeType === 'EXACT_INPUT'
      ? crossExactInput(order, bridge, shouldContinue)
      : crossExactOutput(order, bridge, order.amount)
  if (crossing !== undefined)
    checkSettlement(bridge.origin, bridge.deposit, crossing.originLeg.amountOut)
  return crossing
}

/** Whether the pricing of an exact input should continue. */
export type ShouldContinue = Readonly<{
  afterOrigin: (originLeg: LegSwap) => boolean
  /** Asked when the output of the crossing is known to be at most `maxOutput`. */
  withMaxOutput: (originLeg: LegSwap, maxOutput: Amount) => boolean
}>

function crossExactInput(
  order: Order,
  bridge: Bridge,
  shouldContinue: ShouldContinue,
): Crossing | undefined {
  const originLeg = swap('origin', bridge.legs.origin, 'exactInput', order.amount)
  if (!shouldContinue.afterOrigin(originLeg)) return undefined
  const relayCost = depositRelayCost(order, bridge, shapeOf(originLeg))
  const deposited = { deposit: originLeg.amountOut, relayCost }
  const relayed =
    relaySponsored(order, bridge, deposited) ??
    relayCharged(order, bridge, deposited, (maxOutput) =>
      shouldContinue.withMaxOutput(originLeg, maxOutput),
    )
  return relayed && { bridge, originLeg, relayCost, ...relayed }
}

/** A deposit, and the cost for the solver of sending it. */
type Deposited = Readonly<{ deposit: Amount; relayCost: Amount }>

type Relayed = Pick<Crossing, 'fees' | 'destinationLeg' | 'awaitsLiquidity'>

/** @param isWorthwhile whether to continue if the output is at most `maxOutput`. */
function relayCharged(
  order: Order,
  bridge: Bridge,
  { deposit, relayCost }: Deposited,
  isWorthwhile: (maxOutput: Amount) => boolean,
): Relayed | undefined {
  // The gas of the fill depends on the destination leg, and the leg depends on the amount that the gas leaves. The
  // reserved gas only rises, so the output only falls, and the gas of a route is bounded. So the loop ends, nearly always
  // in the second round.
  let reserved = minFillCost(bridge, order.destination)
  let planned: Amount | undefined
  for (;;) {
    const relayerGas = toAmount(reserved + relayCost)
    const { fees, total, spend } = chargedFees(order, bridge, deposit, relayerGas)
    if (total >= deposit)
      throw new AmountTooLowError(
        total,
        bridge.deposit,
        minInput(order, bridge, relayerGas),
        order.origin,
      )
    if (spend === 0n) throw new OutputTooLowError(bridge.payout)
    const waits = awaitsLiquidity(order, bridge, spend)
    planned = plannedAmount(planned, spend)
    const { destination } = bridge.legs
    const destinationLeg = swap('destination', destination, 'exactInput', spend, planned)
    const needed = fillCost(bridge, shapeOf(destinationLeg))
    if (needed <= reserved) return { fees, destinationLeg, awaitsLiquidity: waits }
    if (!isWorthwhile(destinationLeg.amountOut)) return undefined
    reserved = needed
  }
}

/** The relay if a sponsor pays all fees except the app fees; `undefined` if none does. */
function relaySponsored(
  order: Order,
  bridge: Bridge,
  { deposit, relayCost }: Deposited,
): Relayed | undefined {
  if (order.sponsorship === undefined) return undefined
  const minGas = toAmount(minFillCost(bridge, order.destination) + relayCost)
  if (sponsoredFees(order, bridge, deposit, minGas) === undefined) return undefined
  const spend = sponsoredSpend(order, bridge, deposit)
  if (spend === 0n) throw new OutputTooLowError(bridge.payout)
  const waits = awaitsLiquidity(order, bridge, spend)
  const destinationLeg = swap('destination', bridge.legs.destination, 'exactInput', spend)
  const relayerGas = toAmount(sponsoredFillCost(bridge, shapeOf(destinationLeg)) + relayCost)
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
  const sponsoredFill = sponsoredFillCost(bridge, shape)
  const chargedFill = fillCost(bridge, shape)
  // The cost of sending the deposit depends on the origin leg, and the leg depends on the deposit. As in `relayCharged`,
  // the reserved cost only rises, so the loop ends.
  let relayCost = depositRelayCost(
    order,
    bridge,
    minShape(bridge.origin, order.origin, bridge.deposit),
  )
  for (;;) {
    const priced =
      sponsoredDeposit(order, bridge, spend, toAmount(sponsoredFill + relayCost)) ??
      chargedDeposit(order, bridge, spend, toAmount(chargedFill + relayCost))
    if (priced === undefined)
      throw new AmountTooLowError(spend, bridge.deposit, undefined, order.origin)
    const { deposit, fees } = priced
    const originLeg = swap('origin', bridge.legs.origin, 'exactOutput', deposit)
    const needed = depositRelayCost(order, bridge, shapeOf(originLeg))
    if (needed <= relayCost)
      return { bridge, originLeg, fees, relayCost, destinationLeg, awaitsLiquidity: waits }
    relayCost = needed
  }
}

function swap(
  leg: 'origin' | 'destination',
  task: LegTask,
  mode: SwapMode,
  amount: Amount,
  plannedFor = amount,
): LegSwap {
  const swapped = swapLeg(task, mode, amount, plannedFor)
  if (swapped === undefined) throw legFailure(leg, task, mode, amount)
  return swapped
}
