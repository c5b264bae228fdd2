import type { LegSwap } from '#src/pricing/leg/leg.ts'
import type { Source } from '#src/pricing/multi/bridgeOrigin.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { wholeBps } from '#src/units/bps.ts'
import { payoutFor } from './relayFees.ts'

/** What one origin pays in: the leg from its currency to the deposit. */
export type Gathered = Readonly<{ source: Source; leg: LegSwap }>

/** What the solver would pay out for the deposit, did it charge nothing: rounded down. */
export const payoutOf = ({ source, leg }: Gathered): Amount => payoutFor(source, leg.amountOut)

/** The same less what is taken in proportion to it. */
export const keptOf = (gathered: Gathered): Amount => toAmount(keptOfAll([gathered]))

/**
 * Of all deposits together, what is taken in proportion to them is rounded up once. Like all sums of what anybody may
 * write, more than an amount can be perhaps.
 */
export const keptOfAll = (gathered: readonly Gathered[]): bigint => sharesKept(gathered) / wholeBps

/** What the payouts keep, in basis points of a unit: nothing is rounded yet. */
export const sharesKept = (gathered: readonly Gathered[]): bigint =>
  gathered.reduce((sum, each) => sum + payoutOf(each) * (wholeBps - each.source.bps), 0n)

export const totalOf = (gathered: readonly Gathered[]): bigint =>
  gathered.reduce((sum, each) => sum + payoutOf(each), 0n)
