import { depositForNetPayout, netPayoutInBps } from '#src/core/pricing/fees/multiRelayFees.ts'
import { createSwapSequence, type SwapSequence } from '#src/core/pricing/leg/swapSequence.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { wholeBps } from '#src/core/units/bps.ts'
import type { Allocation } from './allocate.ts'
import type { OriginSwap } from './bridgeOrigin.ts'
import type { OriginCurve } from './originCurve.ts'

/** The exact swaps of the origins, and their sequence on each chain. */
export type Reconciled = Readonly<{ origins: readonly OriginSwap[]; sequence: SwapSequence }>

/** The input of each origin; absent: 0. */
type Inputs = Map<OriginCurve, bigint>

/**
 * Turns an approximate allocation into exact swaps with a net payout of `needed`: the last origin pays exactly the
 * missing amount. If swaps affect each other, so that the others give less than allocated, origins with spare input pay
 * more. `undefined` if all `curves` together cannot pay that much.
 */
export function reconcile(
  allocation: Allocation,
  curves: readonly OriginCurve[],
  needed: Amount,
): Reconciled | undefined {
  const inputs: Inputs = new Map(allocation.map(({ curve, input }) => [curve, input]))
  for (const last of bySpareInput(curves, inputs)) {
    const outcome = reconcileWith(last, { curves, inputs, needed })
    if (outcome === 'impossible') return undefined
    if (outcome === 'excess') inputs.delete(last)
    else if (outcome === 'short') inputs.set(last, last.whole.amountIn)
    else return outcome
  }
  return undefined
}

/** Origins that pay in come first, and among them those with the largest share of spare input. */
function bySpareInput(curves: readonly OriginCurve[], inputs: Inputs): readonly OriginCurve[] {
  const spare = (curve: OriginCurve) =>
    1 - Number(inputs.get(curve) ?? 0n) / Number(curve.whole.amountIn)
  const pays = (curve: OriginCurve) => Number(inputs.has(curve))
  return curves.toSorted((one, other) => pays(other) - pays(one) || spare(other) - spare(one))
}

/** `excess`: `last` is not needed. `short`: `last` would have to pay more than it has. */
function reconcileWith(
  last: OriginCurve,
  {
    curves,
    inputs,
    needed,
  }: Readonly<{ curves: readonly OriginCurve[]; inputs: Inputs; needed: Amount }>,
): Reconciled | 'excess' | 'short' | 'impossible' {
  const sequence = createSwapSequence()
  const origins: OriginSwap[] = []
  for (const curve of curves) {
    const { origin, whole, isUnaffected } = curve
    const input = inputs.get(curve) ?? 0n
    if (curve === last || input === 0n) continue
    const isWhole =
      input === whole.amountIn && isUnaffected && sequence.isUnaffected(origin.task, whole)
    const leg = isWhole ? whole : sequence.swap(origin.task, 'exactInput', toAmount(input))
    if (leg === undefined) return 'impossible'
    sequence.append(origin.task, leg)
    origins.push({ origin, leg })
  }
  const missing = needed * wholeBps - netPayoutInBps(origins)
  if (missing <= 0n) return 'excess'
  const { origin } = last
  const deposit = depositForNetPayout(origin, missing)
  const leg = deposit && sequence.swap(origin.task, 'exactOutput', deposit)
  if (leg === undefined || leg.amountIn > origin.amount) return 'short'
  sequence.append(origin.task, leg)
  return { origins: [...origins, { origin, leg }], sequence }
}
