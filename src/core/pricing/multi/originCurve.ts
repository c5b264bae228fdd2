import type { Pool } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolIdentity.ts'
import { swapExactInput } from '#src/core/pools/swap.ts'
import { depositForNetPayout, netPayout } from '#src/core/pricing/fees/multiRelayFees.ts'
import { shapeOf } from '#src/core/pricing/gas/transactionSize.ts'
import { type LegSwap, legLimit } from '#src/core/pricing/leg/leg.ts'
import type { SwapSequence } from '#src/core/pricing/leg/swapSequence.ts'
import type { Route } from '#src/core/router/route.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { wholeBps } from '#src/core/units/bps.ts'
import type { AssetPairOrigin } from './assetPairOrigin.ts'
import { type CostTerms, depositGasUsd, inputUsd } from './originCost.ts'

/** An input of an origin, with its payout and its value. */
export type CurvePoint = Readonly<{
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
  const legs = [...partialLegs(whole), whole]
  const points = legs.map((leg): CurvePoint => {
    const swapped = { origin, leg }
    const net = Number(netPayout(swapped))
    return { input: leg.amountIn, net, usd: inputUsd(swapped, terms) }
  })
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
