import { type Gathered, sharesKept } from '#src/pricing/fees/multiRelayFees.ts'
import { depositFor } from '#src/pricing/fees/relayFees.ts'
import { createSwapsAhead, type SwapsAhead } from '#src/pricing/leg/swapSequence.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { wholeBps } from '#src/units/bps.ts'
import { divUp } from '#src/units/mulDiv.ts'
import type { Division } from './allocate.ts'
import type { Curve } from './originCurve.ts'

/** What origins pay in, to the unit, one after the other, and the pools as their swaps leave them. */
export type Settled = Readonly<{ gathered: readonly Gathered[]; ahead: SwapsAhead }>

/** How much of each is paid in; of the others nothing is. */
type Inputs = Map<Curve, bigint>

/**
 * A division as it comes out, to the unit: one origin comes last and pays just what is missing of `needed`. Where
 * others bring less than they would alone, those that have more to give do. `undefined` where all of `curves`
 * together do not come to so much.
 */
export function settle(
  division: Division,
  curves: readonly Curve[],
  needed: Amount,
): Settled | undefined {
  const inputs: Inputs = new Map(division.map(({ curve, input }) => [curve, input]))
  for (const last of byRoom(curves, inputs)) {
    const outcome = settleWith(last, { curves, inputs, needed })
    if (outcome === 'impossible') return undefined
    if (outcome === 'excess') inputs.delete(last)
    else if (outcome === 'short') inputs.set(last, last.whole.amountIn)
    else return outcome
  }
  return undefined
}

/** Those that pay in anyway come first, and of them those with the most to spare. */
function byRoom(curves: readonly Curve[], inputs: Inputs): readonly Curve[] {
  const room = (curve: Curve) => 1 - Number(inputs.get(curve) ?? 0n) / Number(curve.whole.amountIn)
  const pays = (curve: Curve) => Number(inputs.has(curve))
  return curves.toSorted((one, other) => pays(other) - pays(one) || room(other) - room(one))
}

/** `excess`: it is not needed. `short`: it would have to pay in more than it has. */
function settleWith(
  last: Curve,
  {
    curves,
    inputs,
    needed,
  }: Readonly<{ curves: readonly Curve[]; inputs: Inputs; needed: Amount }>,
): Settled | 'excess' | 'short' | 'impossible' {
  const ahead = createSwapsAhead()
  const gathered: Gathered[] = []
  for (const curve of curves) {
    const { source } = curve
    const input = inputs.get(curve) ?? 0n
    if (curve === last || input === 0n) continue
    const { whole, isUnmoved } = curve
    const isWhole = input === whole.amountIn && isUnmoved && ahead.bears(source.task, whole)
    const leg = isWhole ? whole : ahead.swap(source.task, 'exactInput', toAmount(input))
    if (leg === undefined) return 'impossible'
    ahead.take(source.task, leg)
    gathered.push({ source, leg })
  }
  const missing = needed * wholeBps - sharesKept(gathered)
  if (missing <= 0n) return 'excess'
  const { source } = last
  const payout = toAmount(divUp(missing, wholeBps - source.bps))
  const leg = ahead.swap(source.task, 'exactOutput', depositFor(source, payout))
  if (leg === undefined || leg.amountIn > source.origin.amount) return 'short'
  ahead.take(source.task, leg)
  return { gathered: [...gathered, { source, leg }], ahead }
}
