import { keptOf } from '#src/pricing/fees/multiRelayFees.ts'
import { depositFor, grossUp } from '#src/pricing/fees/relayFees.ts'
import { shapeOf } from '#src/pricing/gas/transactionSize.ts'
import { type LegSwap, legLimit } from '#src/pricing/leg/leg.ts'
import type { SwapsAhead } from '#src/pricing/leg/swapSequence.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { Source } from './bridgeOrigin.ts'
import { gasOf, type Terms, usdIn } from './originCost.ts'
import { scaledOutput } from './scaledOutput.ts'

/** How much of an origin is paid in, and what it comes to. */
export type Point = Readonly<{
  input: bigint
  /** In the payout currency, less what is taken in proportion. */
  kept: number
  /** What is paid in, in US dollars. */
  usd: number
}>

/** What an origin pays for, by how much of it is paid in. */
export type Curve = Readonly<{
  source: Source
  /** All that is of use. */
  whole: LegSwap
  /** Whether it comes to the same before all other swaps: those that it was found after moved none of its pools. */
  isUnmoved: boolean
  /** From nothing to that: between two of them it is nearly straight. */
  points: readonly Point[]
  /** Of the deposit's transaction, in US dollars. */
  gas: number
}>

/** Straight parts of a curve whose origin is swapped. */
const parts = 8n

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
  if (whole === undefined || keptOf({ source, leg: whole }) === 0n) return undefined
  const legs = [...partsOf(whole), whole]
  const points = legs.map((leg): Point => {
    const gathered = { source, leg }
    return { input: leg.amountIn, kept: Number(keptOf(gathered)), usd: usdIn(gathered, terms) }
  })
  const gas = gasOf(source, shapeOf(whole), terms)
  const isUnmoved = ahead.bears(source.task, whole)
  return { source, whole, isUnmoved, points: [nothing, ...points], gas }
}

const nothing: Point = { input: 0n, kept: 0, usd: 0 }

/** Where nothing is swapped the curve is straight. */
function partsOf(whole: LegSwap): readonly LegSwap[] {
  const { route } = whole
  if (route === undefined || whole.amountIn < parts) return []
  return Array.from({ length: Number(parts) - 1 }, (_, at) => {
    const amountIn = toAmount((whole.amountIn * BigInt(at + 1)) / parts)
    return { ...whole, amountIn, amountOut: scaledOutput(route, amountIn) }
  })
}

/** All of the origin, or as much of it as the pools bear, or as pays for everything. */
function mostUseful(source: Source, ahead: SwapsAhead, needed: Amount): LegSwap | undefined {
  const { task, origin, bps } = source
  const limit = () => legLimit(task, 'exactInput')
  const all =
    ahead.swap(task, 'exactInput', origin.amount) ??
    ahead.swap(task, 'exactInput', limit() ?? origin.amount)
  if (all === undefined || keptOf({ source, leg: all }) <= needed) return all
  const payout = grossUp(needed, bps)
  const exact = payout && ahead.swap(task, 'exactOutput', depositFor(source, payout))
  return exact !== undefined && exact.amountIn <= all.amountIn ? exact : all
}
