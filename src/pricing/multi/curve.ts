import { type LegSwap, legLimit } from '#src/pricing/leg.ts'
import { depositFor, grossUp } from '#src/pricing/relay.ts'
import { shapeOf } from '#src/pricing/transactionSize.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { gasOf, type Terms, usdIn } from './dollars.ts'
import { keptOf } from './gathered.ts'
import type { Source } from './source.ts'
import type { SwapsAhead } from './swapsAhead.ts'

/** How much of an origin is paid in, and what it comes to. */
export type Point = Readonly<{
  input: bigint
  /** In the payout currency, less what is taken in proportion. */
  kept: number
  /** What is paid in, in US dollars. */
  value: number
}>

/** What an origin pays for, by how much of it is paid in. */
export type Curve = Readonly<{
  source: Source
  /** From nothing to the most that is of use: between two of them it is nearly straight. */
  points: readonly Point[]
  /** Of the deposit's transaction, in US dollars. */
  gas: number
}>

/** A part that bends by less than this share of the curve's height counts as straight. */
const straightness = 1e-5
const mostHalvings = 5

/**
 * The curve of an origin whose swap follows others, up to what pays for `needed` alone; `undefined` where nothing of
 * it can be paid in.
 */
export function curveOf(
  source: Source,
  ahead: SwapsAhead,
  { needed, ...terms }: Terms & Readonly<{ needed: Amount }>,
): Curve | undefined {
  const whole = mostUseful(source, ahead, needed)
  if (whole === undefined) return undefined
  const pointOf = (leg: LegSwap): Point => ({
    input: leg.amountIn,
    kept: Number(keptOf({ source, leg })),
    value: usdIn({ source, leg }, terms),
  })
  const last = pointOf(whole)
  if (last.kept === 0) return undefined

  function between(one: Point, other: Point, halvings: number): readonly Point[] {
    const input = (one.input + other.input) / 2n
    if (whole?.route === undefined || halvings === 0 || input === one.input) return []
    const leg = ahead.swap(source.task, 'exactInput', toAmount(input))
    if (leg === undefined) return []
    const point = pointOf(leg)
    const bend = Math.abs(point.kept - (one.kept + other.kept) / 2)
    if (bend <= straightness * last.kept) return [point]
    return [...between(one, point, halvings - 1), point, ...between(point, other, halvings - 1)]
  }

  const points = [nothing, ...between(nothing, last, mostHalvings), last]
  return { source, points, gas: gasOf(source, shapeOf(whole), terms) }
}

const nothing: Point = { input: 0n, kept: 0, value: 0 }

/** All of the origin, or as much of it as the pools bear, or as pays for everything. */
function mostUseful(source: Source, ahead: SwapsAhead, needed: Amount): LegSwap | undefined {
  const { task, origin, bps } = source
  const payout = grossUp(needed, bps)
  const exact = payout && ahead.swap(task, 'exactOutput', depositFor(source, payout))
  if (exact !== undefined && exact.amountIn <= origin.amount) return exact
  const limit = legLimit(task, 'exactInput')
  const most = limit !== undefined && limit < origin.amount ? limit : origin.amount
  return ahead.swap(task, 'exactInput', most)
}
