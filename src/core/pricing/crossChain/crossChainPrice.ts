import type { SwapMode } from '#src/core/pools/poolKind.ts'
import { depositFor } from '#src/core/pricing/fees/depositPair.ts'
import {
  AmountTooLowError,
  chargedDeposit,
  chargedFees,
  minDeposit,
  type RelayFees,
  sponsoredDeposit,
  sponsoredFees,
  sponsoredSpend,
} from '#src/core/pricing/fees/relayFees.ts'
import {
  depositRelayCost,
  fillCost,
  minFillCost,
  sponsoredFillCost,
} from '#src/core/pricing/fees/solverCosts.ts'
import { minShape, shapeOf } from '#src/core/pricing/gas/transactionSize.ts'
import { type LegSwap, type LegTask, plannedAmount, swapLeg } from '#src/core/pricing/leg/leg.ts'
import { legFailure, OutputTooLowError } from '#src/core/pricing/leg/legFailure.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { checkSettlement } from '#src/core/pricing/settlement.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { AssetPair } from './assetPair.ts'
import { awaitsLiquidity } from './solverBalance.ts'

/** An order that the solver fills, over one asset pair: origin leg, relay, destination leg. */
export type CrossChainPrice = Readonly<{
  assetPair: AssetPair
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
 * Prices `order` over `assetPair`, from the given amount to the other one.
 * @throws AppError that names the failing leg.
 */
export function cross(order: Order, assetPair: AssetPair): CrossChainPrice
/** @returns `undefined` if `shouldContinue` ends the pricing of an exact input. */
export function cross(
  order: Order,
  assetPair: AssetPair,
  shouldContinue: ShouldContinue,
): CrossChainPrice | undefined
export function cross(
  order: Order,
  assetPair: AssetPair,
  shouldContinue: ShouldContinue = { afterOrigin: () => true, withMaxOutput: () => true },
): CrossChainPrice | undefined {
  const crossChainPrice =
    order.tradeType === 'EXACT_INPUT'
      ? crossExactInput(order, assetPair, shouldContinue)
      : crossExactOutput(order, assetPair, order.amount)
  if (crossChainPrice !== undefined)
    checkSettlement(assetPair.origin, assetPair.deposit, crossChainPrice.originLeg.amountOut)
  return crossChainPrice
}

/** Whether the pricing of an exact input should continue. */
export type ShouldContinue = Readonly<{
  afterOrigin: (originLeg: LegSwap) => boolean
  /** Asked when the output of the cross-chain price is known to be at most `maxOutput`. */
  withMaxOutput: (originLeg: LegSwap, maxOutput: Amount) => boolean
}>

function crossExactInput(
  order: Order,
  assetPair: AssetPair,
  shouldContinue: ShouldContinue,
): CrossChainPrice | undefined {
  const originLeg = swap('origin', assetPair.legs.origin, 'exactInput', order.amount)
  if (!shouldContinue.afterOrigin(originLeg)) return undefined
  const relayCost = depositRelayCost(order, assetPair, shapeOf(originLeg))
  const deposited = { deposit: originLeg.amountOut, relayCost }
  const relayed =
    relaySponsored(order, assetPair, deposited) ??
    relayCharged(order, assetPair, deposited, (maxOutput) =>
      shouldContinue.withMaxOutput(originLeg, maxOutput),
    )
  return relayed && { assetPair, originLeg, relayCost, ...relayed }
}

/** A deposit, and the cost for the solver of sending it. */
type Deposited = Readonly<{ deposit: Amount; relayCost: Amount }>

type Relayed = Pick<CrossChainPrice, 'fees' | 'destinationLeg' | 'awaitsLiquidity'>

/** @param isWorthwhile whether to continue if the output is at most `maxOutput`. */
function relayCharged(
  order: Order,
  assetPair: AssetPair,
  { deposit, relayCost }: Deposited,
  isWorthwhile: (maxOutput: Amount) => boolean,
): Relayed | undefined {
  // The gas of the fill depends on the destination leg, and the leg depends on the amount that the gas leaves. The
  // reserved gas only rises, so the output only falls, and the gas of a route is bounded. So the loop ends, nearly always
  // in the second round.
  let reserved = minFillCost(assetPair, order.destination)
  let planned: Amount | undefined
  for (;;) {
    const relayerGas = toAmount(reserved + relayCost)
    const { fees, total, spend } = chargedFees(order, assetPair, deposit, relayerGas)
    if (total >= deposit)
      throw new AmountTooLowError(
        total,
        assetPair.deposit,
        minInput(order, assetPair, relayerGas),
        order.origin,
      )
    if (spend === 0n) throw new OutputTooLowError(assetPair.payout)
    const waits = awaitsLiquidity(order, assetPair, spend)
    planned = plannedAmount(planned, spend)
    const { destination } = assetPair.legs
    const destinationLeg = swap('destination', destination, 'exactInput', spend, planned)
    const needed = fillCost(assetPair, shapeOf(destinationLeg))
    if (needed <= reserved) return { fees, destinationLeg, awaitsLiquidity: waits }
    if (!isWorthwhile(destinationLeg.amountOut)) return undefined
    reserved = needed
  }
}

/** The relay if a sponsor pays all fees except the app fees; `undefined` if none does. */
function relaySponsored(
  order: Order,
  assetPair: AssetPair,
  { deposit, relayCost }: Deposited,
): Relayed | undefined {
  if (order.sponsorship === undefined) return undefined
  const minGas = toAmount(minFillCost(assetPair, order.destination) + relayCost)
  if (sponsoredFees(order, assetPair, deposit, minGas) === undefined) return undefined
  const spend = sponsoredSpend(order, assetPair, deposit)
  if (spend === 0n) throw new OutputTooLowError(assetPair.payout)
  const waits = awaitsLiquidity(order, assetPair, spend)
  const destinationLeg = swap('destination', assetPair.legs.destination, 'exactInput', spend)
  const relayerGas = toAmount(sponsoredFillCost(assetPair, shapeOf(destinationLeg)) + relayCost)
  const fees = sponsoredFees(order, assetPair, deposit, relayerGas)
  return fees && { fees, destinationLeg, awaitsLiquidity: waits }
}

/** The smallest input whose deposit covers the fees; `undefined` if there is none. */
function minInput(order: Order, assetPair: AssetPair, relayerGas: Amount): Amount | undefined {
  const deposit = minDeposit(order, assetPair, relayerGas)
  return deposit && swapLeg(assetPair.legs.origin, 'exactOutput', deposit)?.amountIn
}

/** Prices an order for `output` to the unit, with the smallest deposit that pays for it. */
function crossExactOutput(order: Order, assetPair: AssetPair, output: Amount): CrossChainPrice {
  const destinationLeg = swap('destination', assetPair.legs.destination, 'exactOutput', output)
  const waits = awaitsLiquidity(order, assetPair, destinationLeg.amountIn)
  const spend = depositFor(assetPair, destinationLeg.amountIn)
  const shape = shapeOf(destinationLeg)
  const sponsoredFill = sponsoredFillCost(assetPair, shape)
  const chargedFill = fillCost(assetPair, shape)
  // The cost of sending the deposit depends on the origin leg, and the leg depends on the deposit. As in `relayCharged`,
  // the reserved cost only rises, so the loop ends.
  let relayCost = depositRelayCost(
    order,
    assetPair,
    minShape(assetPair.origin, order.origin, assetPair.deposit),
  )
  for (;;) {
    const priced =
      sponsoredDeposit(order, assetPair, spend, toAmount(sponsoredFill + relayCost)) ??
      chargedDeposit(order, assetPair, spend, toAmount(chargedFill + relayCost))
    if (priced === undefined)
      throw new AmountTooLowError(spend, assetPair.deposit, undefined, order.origin)
    const { deposit, fees } = priced
    const originLeg = swap('origin', assetPair.legs.origin, 'exactOutput', deposit)
    const needed = depositRelayCost(order, assetPair, shapeOf(originLeg))
    if (needed <= relayCost)
      return { assetPair, originLeg, fees, relayCost, destinationLeg, awaitsLiquidity: waits }
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
