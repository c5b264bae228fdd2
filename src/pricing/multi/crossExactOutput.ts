import { AppError } from '#src/errors.ts'
import { OriginsShortError } from '#src/pricing/failures.ts'
import type { Gathered } from '#src/pricing/fees/multiRelayFees.ts'
import { fillCost } from '#src/pricing/fees/relayFees.ts'
import { shapeOf } from '#src/pricing/gas/transactionSize.ts'
import type { LegSwap } from '#src/pricing/leg/leg.ts'
import { createSwapsAhead, sharePools } from '#src/pricing/leg/swapSequence.ts'
import type { MultiOrder } from '#src/pricing/multiOrder.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { divide } from './allocate.ts'
import type { Source } from './bridgeOrigin.ts'
import { checkBalance } from './checkBalance.ts'
import type { MultiBridge } from './multiBridge.ts'
import { crossEverything, feesOf, type MultiCrossing, swapDestination } from './multiCrossing.ts'
import { costOf, type Terms } from './originCost.ts'
import { type Curve, curveOf } from './originCurve.ts'
import { type Settled, settle } from './reconcile.ts'

/**
 * `output` to the unit, for the least that can be taken from the origins: which of them pay, and how much.
 * @throws AppError that names the leg that fails, or says that the origins do not suffice.
 */
export function crossOutput(order: MultiOrder, bridge: MultiBridge, output: Amount): MultiCrossing {
  const alone = swapDestination(bridge, createSwapsAhead(), 'exactOutput', output)
  checkBalance(bridge, alone.amountIn)
  let needed = neededFor(bridge, alone)
  let best: MultiCrossing | undefined
  // The origins' own swaps may move pools of the destination leg: then what is needed hangs on what is paid in.
  for (let round = 0; ; round += 1) {
    const { gathered, ahead } = cheapest(order, bridge, needed, output)
    const destinationLeg = swapDestination(bridge, ahead, 'exactOutput', output)
    checkBalance(bridge, destinationLeg.amountIn)
    const due = neededFor(bridge, destinationLeg)
    const excess = needed - due
    if (excess >= 0n) {
      const relayerGas = fillCost(bridge.fill, shapeOf(destinationLeg))
      const fees = feesOf(gathered, destinationLeg.amountIn, relayerGas)
      best = { bridge, gathered, fees, destinationLeg }
      if (excess <= needed / negligible || round >= enoughRounds) return best
    } else if (best !== undefined) return best
    // A trifle more than is due: to pay in more moves the pools a trifle further.
    const spare = excess < 0n ? -excess << BigInt(round) : excess
    needed = toAmount(due + (spare >> 5n))
  }
}

/** Too much paid in counts for nothing below this part of it: it joins the service fee. */
const negligible = 100_000n
/** Looks for less to pay in. */
const enoughRounds = 4

/** What the deposits must keep to pay for a destination leg. */
const neededFor = (bridge: MultiBridge, leg: LegSwap): Amount =>
  toAmount(leg.amountIn + bridge.flat + fillCost(bridge.fill, shapeOf(leg)))

/** Looks at what each origin's swap does to the others': more hardly change anything. */
const mostRounds = 3

function cheapest(order: MultiOrder, bridge: MultiBridge, needed: Amount, output: Amount): Settled {
  const { payoutPrice } = bridge
  const { originGasOverhead } = order
  const terms = { needed, payoutPrice, originGasOverhead }
  let curves: readonly Curve[] = []
  let best: Settled | undefined
  for (let round = 0; round < mostRounds; round += 1) {
    curves = curvesOf(bridge.sources, terms, { curves, gathered: best?.gathered ?? [] })
    const division = divide(curves, Number(needed))
    const settled = division && settle(division, curves, needed)
    if (settled === undefined || (best && totalCost(settled, terms) >= totalCost(best, terms)))
      break
    best = settled
    if (!meet(settled)) break
  }
  if (best === undefined) throw shortOf(order, bridge, output)
  return best
}

/** Each origin's on the pools as the others' swaps, where they are known, leave them. */
function curvesOf(
  sources: readonly Source[],
  terms: Terms & Readonly<{ needed: Amount }>,
  before: Readonly<{ curves: readonly Curve[]; gathered: readonly Gathered[] }>,
): readonly Curve[] {
  return sources.flatMap((source) => {
    const ahead = createSwapsAhead()
    for (const other of before.gathered)
      if (other.source !== source) ahead.take(other.source.task, other.leg)
    const known = before.curves.find((each) => each.source === source)
    const isGood = known !== undefined && ahead.bears(source.task, known.whole)
    return isGood ? known : (curveOf(source, ahead, terms) ?? [])
  })
}

const totalCost = ({ gathered }: Settled, terms: Terms): number =>
  gathered.reduce((sum, each) => sum + costOf(each, terms), 0)

/** Whether any two of the swaps trade in one pool. */
const meet = ({ gathered }: Settled): boolean =>
  gathered.some(({ leg, source }, at) =>
    gathered
      .slice(0, at)
      .some((other) => other.source.market === source.market && sharePools(leg, other.leg)),
  )

function shortOf(order: MultiOrder, bridge: MultiBridge, output: Amount): AppError {
  let most: Amount | undefined
  try {
    most = crossEverything(order, bridge).destinationLeg.amountOut
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  return new OriginsShortError(output, order.destination, most)
}
