import type { Curve, Point } from './curve.ts'

/** How much of each origin is to be paid in: those that are left out are not. */
export type Division = Readonly<{
  shares: readonly Share[]
  /** What is paid in and the gas of the deposits, in US dollars. */
  cost: number
}>

export type Share = Readonly<{ curve: Curve; input: bigint }>

/**
 * The division of `needed` among origins that takes the least from them, gas included: the best rates first, which
 * is best where curves only flatten; and of the origins, those whose deposits are worth their gas. `undefined` where all
 * together do not come to so much.
 */
export function divide(curves: readonly Curve[], needed: number): Division | undefined {
  const everyone = fill(curves, needed)
  if (everyone === undefined) return undefined
  const alone = curves.flatMap((curve) => fill([curve], needed) ?? [])
  return [everyone, ...alone]
    .map((division) => thinned(division, curves, needed))
    .reduce((best, each) => (each.cost < best.cost ? each : best))
}

/** Leaves out, takes in or exchanges one origin after the other, as long as that makes it cheaper. */
function thinned(division: Division, curves: readonly Curve[], needed: number): Division {
  let best = division
  for (;;) {
    const used = best.shares.map(({ curve }) => curve)
    const idle = curves.filter((curve) => !used.includes(curve))
    const fewer = used.map((curve) => used.filter((each) => each !== curve))
    const more = idle.map((curve) => [...used, curve])
    const others = fewer.flatMap((rest) => idle.map((curve) => [...rest, curve]))
    const next = [...fewer, ...more, ...others]
      .flatMap((each) => fill(each, needed) ?? [])
      .reduce((least, each) => (each.cost < least.cost ? each : least), best)
    if (next === best) return best
    best = next
  }
}

/** A straight part of a curve. */
type Part = Readonly<{ curve: Curve; from: Point; to: Point; rate: number }>

/** For what float arithmetic rounds off on the way. */
const negligible = 1e-12

/** What fills `needed` at the best rates, of these origins alone. */
function fill(curves: readonly Curve[], needed: number): Division | undefined {
  const parts = curves.flatMap(partsOf).sort((one, other) => other.rate - one.rate)
  const inputs = new Map<Curve, bigint>()
  let left = needed
  let cost = 0
  for (const { curve, from, to } of parts) {
    if (left <= 0) break
    const kept = to.kept - from.kept
    const share = kept <= left ? 1 : left / kept
    if (!inputs.has(curve)) cost += curve.gas
    inputs.set(curve, share === 1 ? to.input : between(from, to, share))
    cost += share * (to.usd - from.usd)
    left -= kept
  }
  if (left > negligible * needed) return undefined
  const shares = curves.flatMap((curve) => {
    const input = inputs.get(curve)
    return input === undefined ? [] : [{ curve, input }]
  })
  return { shares, cost }
}

const resolution = 2 ** 30

const between = (from: Point, to: Point, share: number): bigint =>
  from.input +
  ((to.input - from.input) * BigInt(Math.round(share * resolution))) / BigInt(resolution)

/** By curve: they do not change. */
const known = new WeakMap<Curve, readonly Part[]>()

/** The parts of the hull over a curve: rates only fall from one to the next. */
function partsOf(curve: Curve): readonly Part[] {
  const before = known.get(curve)
  if (before !== undefined) return before
  const hull: Part[] = []
  for (const to of curve.points.slice(1)) {
    let part = partBetween(curve, hull.at(-1)?.to ?? (curve.points[0] as Point), to)
    for (let last = hull.at(-1); last !== undefined && last.rate <= part.rate; last = hull.at(-1)) {
      hull.pop()
      part = partBetween(curve, last.from, to)
    }
    hull.push(part)
  }
  known.set(curve, hull)
  return hull
}

const partBetween = (curve: Curve, from: Point, to: Point): Part => ({
  curve,
  from,
  to,
  rate: (to.kept - from.kept) / (to.usd - from.usd),
})
