import { AppError } from '#src/core/errors.ts'
import type { SwapMode } from '#src/core/pools/poolKind.ts'
import { checkBalance } from '#src/core/pricing/crossChain/solverBalance.ts'
import {
  grossPayout,
  type MultiRelayFees,
  multiNetInput,
  multiRelayFees,
  totalGrossPayout,
  totalNetPayout,
} from '#src/core/pricing/fees/multiRelayFees.ts'
import { fillCost, minFillCost } from '#src/core/pricing/fees/solverCosts.ts'
import { shapeOf } from '#src/core/pricing/gas/transactionSize.ts'
import { type LegSwap, plannedAmount } from '#src/core/pricing/leg/leg.ts'
import { legFailure, OutputTooLowError } from '#src/core/pricing/leg/legFailure.ts'
import { createSwapSequence, type SwapSequence } from '#src/core/pricing/leg/swapSequence.ts'
import type { MultiOrder } from '#src/core/pricing/order.ts'
import { checkSettlement } from '#src/core/pricing/settlement.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { type Currency, currencyKey, describeAmount } from '#src/core/units/currency.ts'
import {
  type AssetPairOrigin,
  fixedFee,
  type MultiAssetPair,
  type OriginSwap,
  originFailure,
} from './multiAssetPair.ts'

/** A multi-input order over one asset pair: origin legs, relay, one destination leg. */
export type MultiCrossChainPrice = Readonly<{
  assetPair: MultiAssetPair
  /** The origins that pay in, in the order of their swaps. */
  origins: readonly OriginSwap[]
  fees: MultiRelayFees
  /** From the payout to currencyOut, after the swaps of all origins. */
  destinationLeg: LegSwap
}>

/** Whether the pricing of an exact input should continue. */
export type ShouldContinueMulti = Readonly<{
  /** Asked after all origins are swapped. They leave at most `maxNetInput` for the destination leg. */
  afterOrigins: (
    assetPair: MultiAssetPair,
    origins: readonly OriginSwap[],
    maxNetInput: Amount,
  ) => boolean
  /** Asked when the output is known to be at most that of the destination leg. */
  withMaxOutput: (crossChainPrice: Omit<MultiCrossChainPrice, 'fees'>) => boolean
}>

export const alwaysContinue: ShouldContinueMulti = {
  afterOrigins: () => true,
  withMaxOutput: () => true,
}

/**
 * Prices an exact input: the whole amount of every origin, for its output.
 * @throws AppError that names the failing origin or leg.
 */
export function priceExactInputs(order: MultiOrder, assetPair: MultiAssetPair): MultiCrossChainPrice
/** @returns `undefined` if `shouldContinue` ends the pricing. */
export function priceExactInputs(
  order: MultiOrder,
  assetPair: MultiAssetPair,
  shouldContinue: ShouldContinueMulti,
): MultiCrossChainPrice | undefined
export function priceExactInputs(
  order: MultiOrder,
  assetPair: MultiAssetPair,
  shouldContinue = alwaysContinue,
): MultiCrossChainPrice | undefined {
  const sequence = createSwapSequence()
  const origins = assetPair.origins.map((origin) => swapWhole(origin, sequence))
  const net = totalNetPayout(origins)
  const terms = { fill: assetPair.fill, flat: fixedFee(assetPair, assetPair.origins) }
  // As in the cross-chain price of one deposit, the reserved gas only rises, so the loop ends.
  let reserved = minFillCost(assetPair.fill, order.destination)
  let planned: Amount | undefined
  for (;;) {
    const netInput = multiNetInput(terms, net, reserved)
    if (netInput <= 0n)
      throw new OriginsTooLowError(totalGrossPayout(origins) - netInput, assetPair.payout)
    checkBalance(assetPair.task.market, assetPair.payout, netInput)
    const amountIn = toAmount(netInput)
    if (planned === undefined && !shouldContinue.afterOrigins(assetPair, origins, amountIn))
      return undefined
    planned = plannedAmount(planned, amountIn)
    const destinationLeg = swapDestination(assetPair, sequence, 'exactInput', amountIn, planned)
    const needed = fillCost(assetPair.fill, shapeOf(destinationLeg))
    if (needed <= reserved) {
      const fees = multiRelayFees(origins, amountIn, reserved)
      return { assetPair, origins, fees, destinationLeg }
    }
    if (!shouldContinue.withMaxOutput({ assetPair, origins, destinationLeg })) return undefined
    reserved = needed
  }
}

/** @throws AppError that names the first origin whose deposit cannot be settled after those before it */
export function checkSettlements(origins: readonly OriginSwap[]): void {
  const added = new Map<string, bigint>()
  for (const { origin, leg } of origins) {
    const { market, deposit } = origin
    const key = currencyKey(deposit)
    const before = added.get(key) ?? 0n
    try {
      checkSettlement(market, deposit, leg.amountOut, before)
    } catch (error) {
      throw error instanceof AppError ? originFailure(origin, error) : error
    }
    added.set(key, before + leg.amountOut)
  }
}

function swapWhole(origin: AssetPairOrigin, sequence: SwapSequence): OriginSwap {
  const { task, amount } = origin
  const leg = sequence.swap(task, 'exactInput', amount)
  if (leg === undefined)
    throw originFailure(origin, legFailure('origin', task, 'exactInput', amount))
  const swapped = { origin, leg }
  if (grossPayout(swapped) === 0n) throw originFailure(origin, new OutputTooLowError(origin.payout))
  sequence.append(task, leg)
  return swapped
}

/** @throws AppError that names the destination leg. */
export function swapDestination(
  { task }: MultiAssetPair,
  sequence: SwapSequence,
  mode: SwapMode,
  amount: Amount,
  plannedFor = amount,
): LegSwap {
  const leg = sequence.swap(task, mode, amount, plannedFor)
  if (leg === undefined) throw legFailure('destination', task, mode, amount)
  return leg
}

/** The fees exceed all deposits together. */
class OriginsTooLowError extends AppError {
  constructor(fees: bigint, payout: Currency) {
    super(
      'AMOUNT_TOO_LOW',
      `The origins together do not cover the fees of ${describeAmount(fees, payout)}.`,
      { fees: fees.toString() },
    )
  }
}
