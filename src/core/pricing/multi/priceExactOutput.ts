import { AppError } from '#src/core/errors.ts'
import { checkBalance } from '#src/core/pricing/crossChain/solverBalance.ts'
import {
  depositForNetPayout,
  multiRelayFees,
  neededPayout,
  netPayoutInBps,
} from '#src/core/pricing/fees/multiRelayFees.ts'
import { fillCost } from '#src/core/pricing/fees/solverCosts.ts'
import { shapeOf } from '#src/core/pricing/gas/transactionSize.ts'
import type { LegSwap } from '#src/core/pricing/leg/leg.ts'
import {
  createSwapSequence,
  type SwapSequence,
  sharePools,
} from '#src/core/pricing/leg/swapSequence.ts'
import type { MultiOrder } from '#src/core/pricing/order.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { wholeBps } from '#src/core/units/bps.ts'
import { type Currency, describeAmount, maxAmountData } from '#src/core/units/currency.ts'
import { type Allocation, allocate, curveOf, type OriginCurve } from './allocate.ts'
import {
  type AssetPairOrigin,
  type CostTerms,
  costOf,
  fixedFee,
  type MultiAssetPair,
  type OriginSwap,
} from './multiAssetPair.ts'
import {
  type MultiCrossChainPrice,
  priceExactInputs,
  swapDestination,
} from './multiCrossChainPrice.ts'

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
  let maxOutput: Amount | undefined
  try {
    maxOutput = priceExactInputs(order, assetPair).destinationLeg.amountOut
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  return new OriginsShortError(output, order.destination, maxOutput)
}

/** The amounts of the origins, which are maxima, do not pay for the output. */
class OriginsShortError extends AppError {
  /** @param maxOutput the output that all origins together pay for; `undefined` if they pay for none. */
  constructor(output: Amount, destination: Currency, maxOutput: Amount | undefined) {
    const hint =
      maxOutput === undefined
        ? ''
        : ` The largest amount that works is about ${describeAmount(maxOutput, destination)}.`
    super(
      'AMOUNT_TOO_LOW',
      `The origins together do not pay for ${describeAmount(output, destination)}.${hint}`,
      maxOutput === undefined ? undefined : maxAmountData(maxOutput, destination),
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
