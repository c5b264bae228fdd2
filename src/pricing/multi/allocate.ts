import type { Curve, Point } from './originCurve.ts'

/** How much of each origin is to be paid in: those that are left out are not. */
export type Division = readonly Readonly<{ curve: Curve; input: bigint }>[]

/**
 * The division of `needed` among origins that takes the least from them, gas included: the best rates first, which is
 * best where curves only flatten; and of the origins, those whose deposits are worth their gas. `undefined` where all
 * together do not come to so much.
 */
export function divide(curves: readonly Curve[], needed: number): Division | undefined {
  const parts = curves.flatMap(partsOf).sort((one, other) => other.rate - one.rate)
  const costOf = (asked: Asked) => costIn(parts, asked, needed)
  const everyone: Asked = new Set(curves)
  const alone = cheapest(
    curves.map((curve): Asked => new Set([curve])),
    costOf,
  )
  const starts = alone === undefined ? [everyone] : [everyone, alone]
  const best = cheapest(
    starts.map((start) => improved(start, curves, costOf)),
    costOf,
  )
  return best && sharesIn(parts, best, needed)
}

/** Those that may be asked to pay. */
type Asked = ReadonlySet<Curve>
type CostOf = (asked: Asked) => number

/** The first of the cheapest; `undefined` where none is enough. */
function cheapest(choices: readonly Asked[], costOf: CostOf): Asked | undefined {
  let best: Readonly<{ asked: Asked; cost: number }> | undefined
  for (const asked of choices) {
    const cost = costOf(asked)
    if (cost < (best?.cost ?? Number.POSITIVE_INFINITY)) best = { asked, cost }
  }
  return best?.asked
}

/** Leaves out, takes in or exchanges one after the other, as long as that makes it cheaper. */
function improved(start: Asked, curves: readonly Curve[], costOf: CostOf): Asked {
  let best = start
  for (;;) {
    const next = cheapest([best, ...neighbours(best, curves)], costOf)
    if (next === undefined || next === best) return best
    best = next
  }
}

function neighbours(asked: Asked, curves: readonly Curve[]): readonly Asked[] {
  const others = curves.filter((curve) => !asked.has(curve))
  const fewer = [...asked].map((left) => new Set([...asked].filter((curve) => curve !== left)))
  const more = others.map((curve) => new Set([...asked, curve]))
  const exchanged = fewer.flatMap((rest) => others.map((curve) => new Set([...rest, curve])))
  return [...fewer, ...more, ...exchanged]
}

/** A straight part of a curve. */
type Part = Readonly<{ curve: Curve; from: Point; to: Point; rate: number }>

/** For what float arithmetic rounds off on the way. */
const negligible = 1e-12

/** In US dollars; infinite where those who are asked do not come to so much. */
function costIn(parts: readonly Part[], asked: Asked, needed: number): number {
  let left = needed
  let cost = 0
  for (const { curve, from, to } of parts) {
    if (left <= 0) return cost
    if (!asked.has(curve)) continue
    const kept = to.kept - from.kept
    if (from.input === 0n) cost += curve.gas
    cost += Math.min(1, left / kept) * (to.usd - from.usd)
    left -= kept
  }
  return left > negligible * needed ? Number.POSITIVE_INFINITY : cost
}

function sharesIn(parts: readonly Part[], asked: Asked, needed: number): Division {
  const inputs = new Map<Curve, bigint>()
  let left = needed
  for (const { curve, from, to } of parts) {
    if (left <= 0) break
    if (!asked.has(curve)) continue
    const kept = to.kept - from.kept
    inputs.set(curve, kept <= left ? to.input : between(from, to, left / kept))
    left -= kept
  }
  return [...inputs].map(([curve, input]) => ({ curve, input }))
}

const resolution = 2 ** 30

const between = (from: Point, to: Point, share: number): bigint =>
  from.input +
  ((to.input - from.input) * BigInt(Math.round(share * resolution))) / BigInt(resolution)

/** The parts of the hull over a curve, in order: rates only fall from one to the next. */
function partsOf(curve: Curve): readonly Part[] {
  const hull: Part[] = []
  for (const to of curve.points.slice(1)) {
    let part = partBetween(curve, hull.at(-1)?.to ?? (curve.points[0] as Point), to)
    for (let last = hull.at(-1); last !== undefined && last.rate <= part.rate; last = hull.at(-1)) {
      hull.pop()
      part = partBetween(curve, last.from, to)
    }
    hull.push(part)
  }
  return hull
}

const partBetween = (curve: Curve, from: Point, to: Point): Part => ({
  curve,
  from,
  to,
  rate: (to.kept - from.kept) / (to.usd - from.usd),
})
