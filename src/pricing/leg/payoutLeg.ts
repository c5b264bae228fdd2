import type { Amount } from '#src/units/amount.ts'
import { type LegSwap, type LegTask, swapLeg } from './leg.ts'

/** What a payout is to give, and what it may cost. */
type PayoutTerms = Readonly<{
  /** All of which is paid in where that gives enough. */
  spend: Amount
  /** What may be paid in where `spend` falls short of an output that was promised to the unit. */
  most: Amount
  minimum: Amount
  /** Whether `minimum` was promised to the unit, and not as the least of more. */
  isExact: boolean
  /** Whether the recipient gets the minimum and no more. */
  keepsRest: boolean
}>

export type PayoutLeg =
  /** `limitsOutput`: it takes just `leg.amountOut` from the pools, and may pay in `most` for it. */
  | Readonly<{ kind: 'leg'; leg: LegSwap; limitsOutput: boolean; most: Amount }>
  /** The pools give less than the minimum. */
  | Readonly<{ kind: 'tooLittle' }>
  /** They do not join the two currencies, or not deeply enough. */
  | Readonly<{ kind: 'noRoute' }>

/** A destination leg as the market is now, long after its quote. */
export function payoutLeg(task: LegTask, terms: PayoutTerms): PayoutLeg {
  const { spend, most, minimum, isExact, keepsRest } = terms
  const whole = swapLeg(task, 'exactInput', spend)
  const reaches = whole !== undefined && whole.amountOut >= minimum
  if (reaches && !keepsRest) return { kind: 'leg', leg: whole, limitsOutput: false, most: spend }
  const short = { kind: whole === undefined ? 'noRoute' : 'tooLittle' } as const
  if (!isExact) return short
  const exact = swapLeg(task, 'exactOutput', minimum)
  const limit = reaches ? spend : most
  if (exact !== undefined && exact.amountIn <= limit)
    return { kind: 'leg', leg: exact, limitsOutput: exact.route !== undefined, most: limit }
  return reaches ? { kind: 'leg', leg: whole, limitsOutput: false, most: spend } : short
}
