import type { CurvePoint, OriginCurve } from './originCurve.ts'

/** The approximate input of each origin that pays in. */
export type Allocation = readonly Readonly<{ curve: OriginCurve; input: bigint }>[]

/**
 * Splits the net payout `needed` between origins at the lowest cost, with gas. The best rates come first, which is optimal
 * for concave curves. A local search chooses the origins whose deposits are worth their gas. `undefined` if all origins
 * together are not enough.
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
