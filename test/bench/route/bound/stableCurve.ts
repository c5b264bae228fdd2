import type { Curve } from './curve.ts'

/** A pool's reserve of a currency, and how many raw units a whole one has. */
type Side = Readonly<{ reserve: number; unit: number }>

/**
 * x³y + xy³ = k, in closed form. The rate (3x²y + y³) ÷ (x³ + 3xy²) depends on the ratio t = y ÷ x of the reserves alone:
 * with q = ((1 − t) ÷ (1 + t))³ it is (1 − q) ÷ (1 + q). A point of the curve is x⁴ = k ÷ (t + t³).
 */
export function stableCurve(paid: Side, bought: Side): Curve {
  const x = paid.reserve / paid.unit
  const y = bought.reserve / bought.unit
  if (x === 0 || y === 0) return { rate: 0, tradeTo: () => idle }
  const perUnit = bought.unit / paid.unit
  const rate = rateAt(y / x)
  // x⁴(t + t³), without the overflow.
  const size = x * ((y / x) * (1 + (y / x) ** 2)) ** 0.25
  return {
    rate: rate * perUnit,
    tradeTo(target, margin) {
      const wanted = target / perUnit
      if (wanted > rate * (1 + margin)) return idle
      const growth = growthAt(size, Math.min(ratioAt(wanted), y / x)) * (paid.unit / perUnit)
      if (wanted >= rate) return { ...idle, growth }
      const t = ratioAt(wanted)
      const after = size / (t + t ** 3) ** 0.25
      const [pays, buys] = [after - x, y - t * after]
      if (pays <= 0 || buys <= 0) return { ...idle, growth }
      return {
        paid: pays * paid.unit,
        bought: buys * bought.unit,
        growth,
        earned: Math.max(0, buys - pays * wanted) * bought.unit,
      }
    },
  }
}

const idle = { paid: 0, bought: 0, earned: 0, growth: 0 }

function rateAt(t: number): number {
  const q = ((1 - t) / (1 + t)) ** 3
  return (1 - q) / (1 + q)
}

function ratioAt(rate: number): number {
  const root = Math.cbrt((1 - rate) / (1 + rate))
  return (1 - root) / (1 + root)
}

/** −dx ÷ d rate. At the ratio 1 it is infinite, so that a Newton step would not move. The ratio is never 1. */
function growthAt(size: number, ratio: number): number {
  const nearest = 1e-3
  const t = Math.abs(1 - ratio) < nearest ? 1 - nearest : ratio
  const cubic = t + t ** 3
  const perRatio = (size / 4) * cubic ** -1.25 * (1 + 3 * t ** 2)
  return (perRatio * (1 + 3 * t ** 2) ** 2) / (3 * (1 - t ** 2) ** 2)
}
