import { depositFor } from '#src/core/pricing/conversion.ts'
import { isExplicit } from '#src/core/pricing/deposits/timeEstimate.ts'
import {
  AmountTooLowError,
  deductedFees,
  depositForNetInput,
  netInputOf,
  payersOf,
  paysFees,
  type RelayFees,
  relayFeesOf,
} from '#src/core/pricing/fees/relayFees.ts'
import {
  type FeePayer,
  fillCost,
  minFillCost,
  relayCostIn,
  relayWei,
} from '#src/core/pricing/fees/solverCosts.ts'
import type { TransactionSize } from '#src/core/pricing/gas/gas.ts'
import { type LegShape, minShape, shapeOf } from '#src/core/pricing/gas/transactionSize.ts'
import { sizesOf } from '#src/core/pricing/gas/transactionSizes.ts'
import {
  type LegSwap,
  OutputTooLowError,
  plannedAmount,
  requireLeg,
  swapLeg,
} from '#src/core/pricing/leg/leg.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { checkSettlement } from '#src/core/pricing/settlement.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { AssetPair } from './assetPair.ts'
import { awaitsLiquidity, largestInput } from './solverBalance.ts'

/** An order that the solver fills, over one asset pair: origin leg, relay, destination leg. */
export type CrossChainPrice = Readonly<{
  assetPair: AssetPair
  /** From currencyIn to the deposit. */
  originLeg: LegSwap
  depositCall: DepositCall
  payer: FeePayer
  fees: RelayFees
  /** The part of `fees.relayerGas` that pays for sending a signed deposit. */
  relayCost: Amount
  /** From the payout to currencyOut. */
  destinationLeg: LegSwap
  /** Whether the solver holds less than it pays out, and the order may wait for the rest. */
  awaitsLiquidity: boolean
}>

/** The transaction of a user that deposits the output of an origin leg. */
type DepositCall = Readonly<{
  /** Whether it calls the depository. */
  isExplicit: boolean
  size: TransactionSize
  /** The charge of the solver for sending it, in wei; 0 if the solver does not send it. */
  relayWei: Amount
}>

/** Whether the pricing of an exact input should continue. */
export type ShouldContinue = Readonly<{
  afterOrigin: (originLeg: LegSwap, depositCall: DepositCall) => boolean
  /** Asked when the output of the cross-chain price is known to be at most `maxOutput`. */
  withMaxOutput: (depositCall: DepositCall, maxOutput: Amount) => boolean
}>

/**
 * Prices `order` over `assetPair`, from the given amount to the other one.
 * @throws AppError that names the failing leg.
 */
export function priceAcross(order: Order, assetPair: AssetPair): CrossChainPrice
/** @returns `undefined` if `shouldContinue` ends the pricing of an exact input. */
export function priceAcross(
  order: Order,
  assetPair: AssetPair,
  shouldContinue: ShouldContinue,
): CrossChainPrice | undefined
export function priceAcross(
  order: Order,
  assetPair: AssetPair,
  shouldContinue: ShouldContinue = { afterOrigin: () => true, withMaxOutput: () => true },
): CrossChainPrice | undefined {
  const crossChainPrice =
    order.tradeType === 'EXACT_INPUT'
      ? priceExactInput(order, assetPair, shouldContinue)
      : priceExactOutput(order, assetPair)
  if (crossChainPrice !== undefined)
    checkSettlement(assetPair.origin, assetPair.deposit, crossChainPrice.originLeg.amountOut, {
      // An exact output depends on the fees as well.
      ...(order.tradeType === 'EXACT_INPUT' && { largest: () => largestInput(assetPair) }),
    })
  return crossChainPrice
}

/** Prices an exact input: swaps it, deducts the fees from the deposit, and swaps the rest. */
function priceExactInput(
  order: Order,
  assetPair: AssetPair,
  shouldContinue: ShouldContinue,
): CrossChainPrice | undefined {
  const originLeg = requireLeg('origin', assetPair.legs.origin, 'exactInput', order.amount)
  const depositCall = depositCallOf(order, assetPair, originLeg)
  if (!shouldContinue.afterOrigin(originLeg, depositCall)) return undefined
  const relayCost = relayCostOf(assetPair, depositCall.relayWei)
  const isWorthwhile = (maxOutput: Amount) => shouldContinue.withMaxOutput(depositCall, maxOutput)
  for (const payer of payersOf(assetPair)) {
    const deposited = { deposit: originLeg.amountOut, relayCost, payer }
    const relayed = relay(order, assetPair, deposited, isWorthwhile)
    if (relayed !== undefined)
      return { assetPair, originLeg, depositCall, payer, relayCost, ...relayed }
  }
  return undefined
}

type Relayed = Readonly<{ fees: RelayFees; destinationLeg: LegSwap; awaitsLiquidity: boolean }>

/**
 * From a deposit to the output. `undefined` if `payer` does not pay the fees, or if the result is not worthwhile.
 * @param isWorthwhile whether to continue if the output is at most `maxOutput`.
 */
function relay(
  order: Order,
  assetPair: AssetPair,
  deposited: Readonly<{ deposit: Amount; relayCost: Amount; payer: FeePayer }>,
  isWorthwhile: (maxOutput: Amount) => boolean,
): Relayed | undefined {
  const { deposit, relayCost, payer } = deposited
  const task = assetPair.legs.destination
  // The gas of the fill depends on the destination leg, and the leg depends on the amount that the gas leaves. The
  // reserved gas only rises, so the output only falls, and the gas of a route is bounded. So the loop ends, nearly
  // always in the second round.
  let reserved = minFillCost(assetPair, task.output)
  let planned: Amount | undefined
  let last: Readonly<{ netInput: Amount; leg: LegSwap }> | undefined
  for (;;) {
    const relayerGas = toAmount(reserved + relayCost)
    if (!paysFees(assetPair, payer, deposit, relayerGas)) return undefined
    const netInput = netInputOf(assetPair, payer, deposit, relayerGas)
    if (netInput === 0n) throw depositTooLow(assetPair, payer, deposit, relayerGas)
    const waits = awaitsLiquidity(order, assetPair, netInput)
    planned = plannedAmount(planned, netInput)
    // The gas that a sponsor pays leaves the same amount.
    if (last?.netInput !== netInput)
      last = { netInput, leg: requireLeg('destination', task, 'exactInput', netInput, planned) }
    const needed = fillCost(assetPair, shapeOf(last.leg), payer)
    if (needed <= reserved) {
      const fees = relayFeesOf(assetPair, payer, { deposit, netInput }, relayerGas)
      return { fees, destinationLeg: last.leg, awaitsLiquidity: waits }
    }
    if (!isWorthwhile(last.leg.amountOut)) return undefined
    reserved = needed
  }
}

/** The failure of a deposit that leaves nothing after its fees, with the smallest input that works. */
function depositTooLow(assetPair: AssetPair, payer: FeePayer, deposit: Amount, relayerGas: Amount) {
  const fees = deductedFees(assetPair, payer, deposit, relayerGas)
  if (payer === 'sponsor' || fees < deposit) return new OutputTooLowError(assetPair.payout)
  const { origin } = assetPair.legs
  const minDeposit = depositForNetInput(assetPair, payer, toAmount(1n), relayerGas)
  const minInput = minDeposit && swapLeg(origin, 'exactOutput', minDeposit)?.amountIn
  return new AmountTooLowError(fees, assetPair.deposit, minInput, origin.input)
}

/** The inversion: prices an order for its output to the unit, with the smallest deposit that pays for it. */
function priceExactOutput(order: Order, assetPair: AssetPair): CrossChainPrice {
  const { legs } = assetPair
  const destinationLeg = requireLeg('destination', legs.destination, 'exactOutput', order.amount)
  const waits = awaitsLiquidity(order, assetPair, destinationLeg.amountIn)
  // The cost of sending the deposit depends on the origin leg, and the leg depends on the deposit. As in `relay`, the
  // reserved cost only rises, so the loop ends.
  const smallest = minShape(assetPair.origin, legs.origin.input, assetPair.deposit)
  let relayCost = relayCostOf(assetPair, callOf(order, assetPair, smallest, true).relayWei)
  for (;;) {
    const { deposit, payer, fees } = depositPayingFor(assetPair, destinationLeg, relayCost)
    const originLeg = requireLeg('origin', legs.origin, 'exactOutput', deposit)
    const depositCall = depositCallOf(order, assetPair, originLeg)
    const needed = relayCostOf(assetPair, depositCall.relayWei)
    if (needed <= relayCost)
      return {
        assetPair,
        originLeg,
        depositCall,
        payer,
        fees,
        relayCost,
        destinationLeg,
        awaitsLiquidity: waits,
      }
    relayCost = needed
  }
}

/** The smallest deposit that pays for a destination leg, with its fees and their payer. */
function depositPayingFor(assetPair: AssetPair, leg: LegSwap, relayCost: Amount) {
  const netInput = leg.amountIn
  const shape = shapeOf(leg)
  for (const payer of payersOf(assetPair)) {
    const relayerGas = toAmount(fillCost(assetPair, shape, payer) + relayCost)
    const deposit = depositForNetInput(assetPair, payer, netInput, relayerGas)
    if (deposit === undefined || !paysFees(assetPair, payer, deposit, relayerGas)) continue
    const fees = relayFeesOf(assetPair, payer, { deposit, netInput }, relayerGas)
    return { deposit, payer, fees }
  }
  const { deposit, legs } = assetPair
  throw new AmountTooLowError(
    depositFor(assetPair, netInput),
    deposit,
    undefined,
    legs.origin.input,
  )
}

function depositCallOf(order: Order, assetPair: AssetPair, leg: LegSwap): DepositCall {
  const { origin, deposit } = assetPair
  return callOf(order, assetPair, shapeOf(leg), isExplicit(order, origin, deposit, leg.amountOut))
}

function callOf(order: Order, { origin }: AssetPair, leg: LegShape, isExplicit: boolean) {
  const size = sizesOf(origin.gas).deposit(leg, isExplicit, order.permit?.kind)
  return { isExplicit, size, relayWei: relayWei(order, origin, size) }
}

const relayCostOf = ({ origin, deposit }: AssetPair, wei: Amount): Amount =>
  relayCostIn(origin, wei, deposit)
