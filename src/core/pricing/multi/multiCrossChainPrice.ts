import { AppError } from '#src/core/errors.ts'
import type { SwapMode } from '#src/core/pools/poolKind.ts'
import { checkBalance } from '#src/core/pricing/crossChain/solverBalance.ts'
import {
  depositForNetPayout,
  grossPayout,
  type MultiRelayFees,
  multiNetInput,
  multiRelayFees,
  neededPayout,
  netPayoutInBps,
  totalGrossPayout,
  totalNetPayout,
} from '#src/core/pricing/fees/relayFees.ts'
import { fillCost, minFillCost } from '#src/core/pricing/fees/solverCosts.ts'
import { shapeOf } from '#src/core/pricing/gas/transactionSize.ts'
import {
  type LegSwap,
  legFailure,
  OutputTooLowError,
  plannedAmount,
} from '#src/core/pricing/leg/leg.ts'
import {
  createSwapSequence,
  type SwapSequence,
  sharePools,
} from '#src/core/pricing/leg/swapSequence.ts'
import type { MultiOrder } from '#src/core/pricing/order.ts'
import { checkSettlement } from '#src/core/pricing/settlement.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { wholeBps } from '#src/core/units/bps.ts'
import {
  type Currency,
  currencyKey,
  describeAmount,
  type Limit,
  limitHint,
  maxAmountData,
} from '#src/core/units/currency.ts'
import { type Allocation, allocate, curveOf, type OriginCurve } from './allocate.ts'
import {
  type AssetPairOrigin,
  type CostTerms,
  costOf,
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
      checkSettlement(market, deposit, leg.amountOut, { added: before })
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
function swapDestination(
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

/**
 * Prices `output` to the unit. Chooses the origins that pay, and their amounts, for the lowest cost.
 * @throws AppError that names the failing leg, or says that the origins are not enough.
 */
export function priceExactOutput(
  order: MultiOrder,
  assetPair: MultiAssetPair,
  output: Amount,
): MultiCrossChainPrice {
  const first = swapDestination(assetPair, createSwapSequence(), 'exactOutput', output)
  checkBalance(assetPair.task.market, assetPair.payout, first.amountIn)
  let needed = neededFor(assetPair, first, assetPair.origins)
  let best: MultiCrossChainPrice | undefined
  // The needed payout depends on the set of paying origins. If their swaps move pools of the destination leg, it also
  // depends on their amounts.
  for (let round = 0; ; round += 1) {
    const { origins, sequence } = cheapestOrigins(order, assetPair, needed, output)
    const destinationLeg = swapDestination(assetPair, sequence, 'exactOutput', output)
    checkBalance(assetPair.task.market, assetPair.payout, destinationLeg.amountIn)
    const paying = origins.map(({ origin }) => origin)
    const due = neededFor(assetPair, destinationLeg, paying)
    const excess = needed - due
    if (excess >= 0n) {
      const relayerGas = fillCost(assetPair.fill, shapeOf(destinationLeg))
      const fees = multiRelayFees(origins, destinationLeg.amountIn, relayerGas)
      best = { assetPair, origins, fees, destinationLeg }
      if (excess <= needed / negligible || round >= excessRounds) return best
    } else if (best !== undefined) return best
    // Slightly more than is due, because a larger input moves the pools slightly further.
    const spare = excess < 0n ? -excess << BigInt(round) : excess
    needed = toAmount(due + (spare >> 5n))
  }
}

/** An excess below this fraction of the needed payout is accepted: it joins the service fee. */
const negligible = 100_000n
/** Rounds that try to reduce an excess. */
const excessRounds = 4

const neededFor = (
  assetPair: MultiAssetPair,
  leg: LegSwap,
  origins: readonly AssetPairOrigin[],
): Amount =>
  neededPayout(
    { fill: assetPair.fill, flat: fixedFee(assetPair, origins) },
    leg.amountIn,
    shapeOf(leg),
  )

/** Rounds in which each origin takes the swaps of the others into account. More rounds change almost nothing. */
const maxRounds = 3

function cheapestOrigins(
  order: MultiOrder,
  assetPair: MultiAssetPair,
  needed: Amount,
  output: Amount,
): Reconciled {
  const { payoutPrice } = assetPair
  const { originGasOverhead } = order
  const terms = { needed, payoutPrice, originGasOverhead }
  let curves: readonly OriginCurve[] = []
  let best: Reconciled | undefined
  for (let round = 0; round < maxRounds; round += 1) {
    curves = curvesOf(assetPair.origins, terms, { curves, origins: best?.origins ?? [] })
    const allocation = allocate(curves, Number(needed))
    const next = allocation && reconcile(allocation, curves, needed)
    if (next === undefined || (best && totalCost(next, terms) >= totalCost(best, terms))) break
    best = next
    if (!haveCommonPools(next)) break
  }
  if (best === undefined) throw originsShort(order, assetPair, output)
  return best
}

/** The curve of each origin on the pools after the swaps of the other origins, if these are known. */
function curvesOf(
  origins: readonly AssetPairOrigin[],
  terms: CostTerms & Readonly<{ needed: Amount }>,
  before: Readonly<{ curves: readonly OriginCurve[]; origins: readonly OriginSwap[] }>,
): readonly OriginCurve[] {
  return origins.flatMap((origin) => {
    const sequence = createSwapSequence()
    for (const other of before.origins)
      if (other.origin !== origin) sequence.append(other.origin.task, other.leg)
    const known = before.curves.find((each) => each.origin === origin)
    const isValid = known !== undefined && sequence.isUnaffected(origin.task, known.whole)
    return isValid ? known : (curveOf(origin, sequence, terms) ?? [])
  })
}

const totalCost = ({ origins }: Reconciled, terms: CostTerms): number =>
  origins.reduce((sum, each) => sum + costOf(each, terms), 0)

/** Whether any two of the swaps trade in the same pool. */
const haveCommonPools = ({ origins }: Reconciled): boolean =>
  origins.some(({ leg, origin }, at) =>
    origins
      .slice(0, at)
      .some((other) => other.origin.market === origin.market && sharePools(leg, other.leg)),
  )

function originsShort(order: MultiOrder, assetPair: MultiAssetPair, output: Amount): AppError {
  let limit: Limit | undefined
  try {
    const { destinationLeg } = priceExactInputs(order, assetPair)
    limit = { amount: destinationLeg.amountOut, currency: order.destination }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  return new OriginsShortError(output, order.destination, limit)
}

/** The amounts of the origins, which are maxima, do not pay for the output. */
class OriginsShortError extends AppError {
  /** @param limit the output that all origins together pay for; `undefined` if they pay for none. */
  constructor(output: Amount, destination: Currency, limit: Limit | undefined) {
    super(
      'AMOUNT_TOO_LOW',
      `The origins together do not pay for ${describeAmount(output, destination)}.${limitHint(limit)}`,
      limit && maxAmountData(limit.amount, limit.currency),
    )
  }
}

/** The exact swaps of the origins, and their sequence on each chain. */
type Reconciled = Readonly<{ origins: readonly OriginSwap[]; sequence: SwapSequence }>

/** The input of each origin; absent: 0. */
type Inputs = Map<OriginCurve, bigint>

/**
 * Turns an approximate allocation into exact swaps with a net payout of `needed`: the last origin pays exactly the
 * missing amount. If swaps affect each other, so that the others give less than allocated, origins with spare input pay
 * more. `undefined` if all `curves` together cannot pay that much.
 */
function reconcile(
  allocation: Allocation,
  curves: readonly OriginCurve[],
  needed: Amount,
): Reconciled | undefined {
  const inputs: Inputs = new Map(allocation.map(({ curve, input }) => [curve, input]))
  for (const last of bySpareInput(curves, inputs)) {
    const outcome = reconcileWith(last, { curves, inputs, needed })
    if (outcome === 'impossible') return undefined
    if (outcome === 'excess') inputs.delete(last)
    else if (outcome === 'short') inputs.set(last, last.whole.amountIn)
    else return outcome
  }
  return undefined
}

/** Origins that pay in come first, and among them those with the largest share of spare input. */
function bySpareInput(curves: readonly OriginCurve[], inputs: Inputs): readonly OriginCurve[] {
  const spare = (curve: OriginCurve) =>
    1 - Number(inputs.get(curve) ?? 0n) / Number(curve.whole.amountIn)
  const pays = (curve: OriginCurve) => Number(inputs.has(curve))
  return curves.toSorted((one, other) => pays(other) - pays(one) || spare(other) - spare(one))
}

/** `excess`: `last` is not needed. `short`: `last` would have to pay more than it has. */
function reconcileWith(
  last: OriginCurve,
  {
    curves,
    inputs,
    needed,
  }: Readonly<{ curves: readonly OriginCurve[]; inputs: Inputs; needed: Amount }>,
): Reconciled | 'excess' | 'short' | 'impossible' {
  const sequence = createSwapSequence()
  const origins: OriginSwap[] = []
  for (const curve of curves) {
    const { origin, whole, isUnaffected } = curve
    const input = inputs.get(curve) ?? 0n
    if (curve === last || input === 0n) continue
    const isWhole =
      input === whole.amountIn && isUnaffected && sequence.isUnaffected(origin.task, whole)
    const leg = isWhole ? whole : sequence.swap(origin.task, 'exactInput', toAmount(input))
    if (leg === undefined) return 'impossible'
    sequence.append(origin.task, leg)
    origins.push({ origin, leg })
  }
  const missing = needed * wholeBps - netPayoutInBps(origins)
  if (missing <= 0n) return 'excess'
  const { origin } = last
  const deposit = depositForNetPayout(origin, missing)
  const leg = deposit && sequence.swap(origin.task, 'exactOutput', deposit)
  if (leg === undefined || leg.amountIn > origin.amount) return 'short'
  sequence.append(origin.task, leg)
  return { origins: [...origins, { origin, leg }], sequence }
}
