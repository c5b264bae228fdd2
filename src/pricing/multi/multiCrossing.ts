import { OriginsTooLowError, OutputTooLowError } from '#src/pricing/failures.ts'
import { type Gathered, keptOfAll, payoutOf, totalOf } from '#src/pricing/fees/multiRelayFees.ts'
import { fillCost } from '#src/pricing/fees/relayFees.ts'
import { leastShape, shapeOf } from '#src/pricing/gas/transactionSize.ts'
import type { LegSwap } from '#src/pricing/leg/leg.ts'
import { legFailure } from '#src/pricing/leg/legFailure.ts'
import { createSwapsAhead, type SwapsAhead } from '#src/pricing/leg/swapSequence.ts'
import type { MultiOrder } from '#src/pricing/multiOrder.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { checkBalance } from './checkBalance.ts'
import type { MultiBridge } from './multiBridge.ts'
import { namingOrigin } from './namingOrigin.ts'

/** A multi-input order over one bridge: origin legs, relay, one destination leg. */
export type MultiCrossing = Readonly<{
  bridge: MultiBridge
  /** Of the origins that pay in, in the order in which they are to. */
  gathered: readonly Gathered[]
  /** In the payout currency: together all that does not become the destination leg's input. */
  fees: Readonly<Record<'relayerGas' | 'relayerService', Amount>>
  /** From the payout to currencyOut, once all of the origins' swaps are made. */
  destinationLeg: LegSwap
}>

/**
 * All of every origin, for as much output as that gives.
 * @throws AppError that names the origin, or the leg, that fails.
 */
export function crossEverything(order: MultiOrder, bridge: MultiBridge): MultiCrossing {
  const ahead = createSwapsAhead()
  const gathered = bridge.sources.map((source) => gatherWhole(source, ahead))
  const kept = keptOfAll(gathered)
  // As in a crossing of one deposit: the gas that is set aside only rises, and the rounds end.
  let reserved = leastFillCost(order, bridge)
  for (;;) {
    const spend = spendOf(bridge, { kept, total: totalOf(gathered), relayerGas: reserved })
    const destinationLeg = swapDestination(bridge, ahead, 'exactInput', spend)
    const needed = fillCost(bridge.fill, shapeOf(destinationLeg))
    if (needed <= reserved)
      return { bridge, gathered, fees: feesOf(gathered, spend, reserved), destinationLeg }
    reserved = needed
  }
}

function gatherWhole(source: Gathered['source'], ahead: SwapsAhead): Gathered {
  const { task, origin, place } = source
  const leg = ahead.swap(task, 'exactInput', origin.amount)
  if (leg === undefined)
    throw namingOrigin(place, legFailure('origin', task, 'exactInput', origin.amount))
  const gathered = { source, leg }
  if (payoutOf(gathered) === 0n) throw namingOrigin(place, new OutputTooLowError(source.payout))
  ahead.take(task, leg)
  return gathered
}

const leastFillCost = ({ destination }: MultiOrder, { fill, payout, task }: MultiBridge): Amount =>
  fillCost(fill, leastShape(task.market, payout, destination))

function spendOf(
  bridge: MultiBridge,
  { kept, total, relayerGas }: Readonly<Record<'kept' | 'total' | 'relayerGas', bigint>>,
): Amount {
  const { payout, flat } = bridge
  const spend = kept - flat - relayerGas
  if (spend <= 0n) throw new OriginsTooLowError(total - spend, payout)
  return checkBalance(bridge, spend)
}

/** What is left of the deposits beside what is spent and the fill's gas: the flat part, the shares, and what rounding leaves. */
export const feesOf = (
  gathered: readonly Gathered[],
  spend: Amount,
  relayerGas: Amount,
): MultiCrossing['fees'] => ({
  relayerGas,
  relayerService: toAmount(totalOf(gathered) - spend - relayerGas),
})

/** @throws AppError that names the destination leg. */
export function swapDestination(
  { task }: MultiBridge,
  ahead: SwapsAhead,
  kind: 'exactInput' | 'exactOutput',
  amount: Amount,
): LegSwap {
  const leg = ahead.swap(task, kind, amount)
  if (leg === undefined) throw legFailure('destination', task, kind, amount)
  return leg
}
