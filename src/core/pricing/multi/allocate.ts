import { type Pool, swapExactInput } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolKind.ts'
import { depositForNetPayout, netPayout } from '#src/core/pricing/fees/relayFees.ts'
import { shapeOf } from '#src/core/pricing/gas/transactionSize.ts'
import { type LegSwap, legLimit } from '#src/core/pricing/leg/leg.ts'
import type { SwapSequence } from '#src/core/pricing/leg/swapSequence.ts'
import type { Route } from '#src/core/router/route.ts'
import { pausingBefore } from '#src/core/steps.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { wholeBps } from '#src/core/units/bps.ts'
import { type AssetPairOrigin, type CostTerms, depositGasUsd, inputUsd } from './multiAssetPair.ts'

/** The approximate input of each origin that pays in. */
export type Allocation = readonly Readonly<{ curve: OriginCurve; input: bigint }>[]

/**
 * Splits the net payout `needed` between origins at the lowest cost, with gas. The best rates come first, which is
 * optimal for concave curves. A local search chooses the origins whose deposits are worth their gas. `undefined` if all
 * origins together are not enough.
 */
export function allocate(curves: readonly OriginCurve[], needed: number): Allocation | undefined {
  const segments = curves.flatMap(segmentsOf).sort((one, other) => other.rate - one.rate)
  const costOf = (included: OriginSet) => totalCost(segments, included, needed)
  const everyone: OriginSet = new Set(curves)
  const alone = cheapest(
    curves.map((curve): OriginSet => new Set([curve])),
    costOf,
  )
  const starts = alone === undefined ? [everyone] : [everyone, alone]
  const best = cheapest(
    starts.map((start) => improved(start, curves, costOf)),
    costOf,
  )
  return best && allocationOf(segments, best, needed)
}

/** The origins that may pay in. */
type OriginSet = ReadonlySet<OriginCurve>
type CostOf = (included: OriginSet) => number

/** The first of the cheapest sets; `undefined` if none is enough. */
function cheapest(choices: readonly OriginSet[], costOf: CostOf): OriginSet | undefined {
  let best: Readonly<{ included: OriginSet; cost: number }> | undefined
  for (const included of choices) {
    const cost = costOf(included)
    if (cost < (best?.cost ?? Number.POSITIVE_INFINITY)) best = { included, cost }
  }
  return best?.included
}

/** Local search: removes, adds or swaps one origin at a time, as long as the cost falls. */
function improved(start: OriginSet, curves: readonly OriginCurve[], costOf: CostOf): OriginSet {
  let best = start
  for (;;) {
    const next = cheapest([best, ...neighbours(best, curves)], costOf)
    if (next === undefined || next === best) return best
    best = next
  }
}

function neighbours(included: OriginSet, curves: readonly OriginCurve[]): readonly OriginSet[] {
  const others = curves.filter((curve) => !included.has(curve))
  const fewer = [...included].map(
    (left) => new Set([...included].filter((curve) => curve !== left)),
  )
  const more = others.map((curve) => new Set([...included, curve]))
  const exchanged = fewer.flatMap((rest) => others.map((curve) => new Set([...rest, curve])))
  return [...fewer, ...more, ...exchanged]
}

/** A straight segment of a curve. */
type Segment = Readonly<{ curve: OriginCurve; from: CurvePoint; to: CurvePoint; rate: number }>

/** Allows for float rounding. */
const negligible = 1e-12

/** Cost in US dollars; infinite if the included origins are not enough. */
function totalCost(segments: readonly Segment[], included: OriginSet, needed: number): number {
  let left = needed
  let cost = 0
  for (const { curve, from, to } of segments) {
    if (left <= 0) return cost
    if (!included.has(curve)) continue
    const net = to.net - from.net
    if (from.input === 0n) cost += curve.gas
    cost += Math.min(1, left / net) * (to.usd - from.usd)
    left -= net
  }
  return left > negligible * needed ? Number.POSITIVE_INFINITY : cost
}

function allocationOf(
  segments: readonly Segment[],
  included: OriginSet,
  needed: number,
): Allocation {
  const inputs = new Map<OriginCurve, bigint>()
  let left = needed
  for (const { curve, from, to } of segments) {
    if (left <= 0) break
    if (!included.has(curve)) continue
    const net = to.net - from.net
    inputs.set(curve, net <= left ? to.input : between(from, to, left / net))
    left -= net
  }
  return [...inputs].map(([curve, input]) => ({ curve, input }))
}

const resolution = 2 ** 30

const between = (from: CurvePoint, to: CurvePoint, share: number): bigint =>
  from.input +
  ((to.input - from.input) * BigInt(Math.round(share * resolution))) / BigInt(resolution)

/** The segments of the concave hull of a curve, in order of falling rates. */
function segmentsOf(curve: OriginCurve): readonly Segment[] {
  const hull: Segment[] = []
  for (const to of curve.points.slice(1)) {
    let segment = segmentBetween(curve, hull.at(-1)?.to ?? (curve.points[0] as CurvePoint), to)
    for (
      let last = hull.at(-1);
      last !== undefined && last.rate <= segment.rate;
      last = hull.at(-1)
    ) {
      hull.pop()
      segment = segmentBetween(curve, last.from, to)
    }
    hull.push(segment)
  }
  return hull
}

const segmentBetween = (curve: OriginCurve, from: CurvePoint, to: CurvePoint): Segment => ({
  curve,
  from,
  to,
  rate: (to.net - from.net) / (to.usd - from.usd),
})

/** An input of an origin, with its payout and its value. */
type CurvePoint = Readonly<{
  input: bigint
  /** Net payout, in the payout currency. */
  net: number
  /** Value of the input in US dollars. */
  usd: number
}>

/** The net payout of an origin as a function of its input. */
export type OriginCurve = Readonly<{
  origin: AssetPairOrigin
  /** The leg of the largest useful input. */
  whole: LegSwap
  /** Whether `whole` trades in no pool of the swaps before it, so that it also holds without them. */
  isUnaffected: boolean
  /** From input 0 to the largest useful input. The curve is nearly straight between two points. */
  points: readonly CurvePoint[]
  /** Gas of the deposit in US dollars. */
  gas: number
}>

/** The number of straight segments of a curve with a swap. */
const segmentCount = 8n

/**
 * The curve of an origin whose swap follows `sequence`, up to the input that alone pays for `needed`. `undefined` if
 * the origin can pay nothing.
 */
export function curveOf(
  origin: AssetPairOrigin,
  sequence: SwapSequence,
  { needed, ...terms }: CostTerms & Readonly<{ needed: Amount }>,
): OriginCurve | undefined {
  const whole = largestUseful(origin, sequence, needed)
  if (whole === undefined || netPayout({ origin, leg: whole }) === 0n) return undefined
  const points = pausingBefore(() =>
    [...partialLegs(whole), whole].map((leg): CurvePoint => {
      const swapped = { origin, leg }
      const net = Number(netPayout(swapped))
      return { input: leg.amountIn, net, usd: inputUsd(swapped, terms) }
    }),
  )
  const gas = depositGasUsd(origin, shapeOf(whole), terms)
  const isUnaffected = sequence.isUnaffected(origin.task, whole)
  return { origin, whole, isUnaffected, points: [start, ...points], gas }
}

const start: CurvePoint = { input: 0n, net: 0, usd: 0 }

/** Legs for fractions of the input. Without a swap the curve is straight and needs none. */
function partialLegs(whole: LegSwap): readonly LegSwap[] {
  const { route } = whole
  if (route === undefined || whole.amountIn < segmentCount) return []
  return Array.from({ length: Number(segmentCount) - 1 }, (_, at) => {
    const amountIn = toAmount((whole.amountIn * BigInt(at + 1)) / segmentCount)
    return { ...whole, amountIn, amountOut: scaledOutput(route, amountIn) }
  })
}

/** The output of a smaller input that is split like the route: nearly that of its own route, but much faster. */
function scaledOutput({ amountIn, paths }: Route, input: bigint): Amount {
  const states = new Map<PoolId, Pool>()
  let output = 0n
  for (const path of paths) {
    let amount = toAmount((path.amountIn * input) / amountIn)
    for (const { pool, zeroForOne } of path.hops) {
      const swapped = swapExactInput(states.get(poolIdOf(pool)) ?? pool, zeroForOne, amount)
      if (swapped !== undefined) states.set(poolIdOf(pool), swapped.next)
      amount = swapped?.amountOut ?? toAmount(0n)
    }
    output += amount
  }
  return toAmount(output)
}

/**
 * The leg for the smallest of three inputs: the whole origin, the largest input that its pools can swap, and the input
 * that pays for `needed`.
 */
function largestUseful(
  origin: AssetPairOrigin,
  sequence: SwapSequence,
  needed: Amount,
): LegSwap | undefined {
  const { task, amount } = origin
  const limit = () => legLimit(task, 'exactInput')
  const all =
    sequence.swap(task, 'exactInput', amount) ??
    sequence.swap(task, 'exactInput', limit() ?? amount)
  if (all === undefined || netPayout({ origin, leg: all }) <= needed) return all
  const deposit = depositForNetPayout(origin, needed * wholeBps)
  const exact = deposit && sequence.swap(task, 'exactOutput', deposit)
  return exact !== undefined && exact.amountIn <= all.amountIn ? exact : all
}
