import type { Amount } from '#src/core/units/amount.ts'
import { type LegSwap, type LegTask, swapLeg } from './leg.ts'

/** The required output and the maximum input of a payout. */
type PayoutTerms = Readonly<{
  /** The input that is tried first. */
  spend: Amount
  /** The maximum input for an output that was promised to the unit, if `spend` is not enough for it. */
  maxSpend: Amount
  /** The minimum output. */
  minimum: Amount
  /** Whether `minimum` was promised to the unit, rather than as a lower limit. */
  isExact: boolean
  /** Whether the recipient gets exactly the minimum. */
  keepsRest: boolean
}>

export type PayoutLeg =
  /** `limitsOutput`: an exact-output swap for `leg.amountOut` with at most `maxSpend` as its input. */
  | Readonly<{ kind: 'leg'; leg: LegSwap; limitsOutput: boolean; maxSpend: Amount }>
  /** The pools give less than the minimum. */
  | Readonly<{ kind: 'tooLittle' }>
  /** The pools do not connect the two currencies, or not with enough liquidity. */
  | Readonly<{ kind: 'noRoute' }>

/** Plans a destination leg on the current market, which may be long after its quote. */
export function payoutLeg(task: LegTask, terms: PayoutTerms): PayoutLeg {
  const { spend, maxSpend, minimum, isExact, keepsRest } = terms
  const whole = swapLeg(task, 'exactInput', spend)
  const isEnough = whole !== undefined && whole.amountOut >= minimum
  if (isEnough && !keepsRest)
    return { kind: 'leg', leg: whole, limitsOutput: false, maxSpend: spend }
  const short = { kind: whole === undefined ? 'noRoute' : 'tooLittle' } as const
  if (!isExact) return short
  const exact = swapLeg(task, 'exactOutput', minimum)
  const limit = isEnough ? spend : maxSpend
  if (exact !== undefined && exact.amountIn <= limit)
    return { kind: 'leg', leg: exact, limitsOutput: exact.route !== undefined, maxSpend: limit }
  return isEnough ? { kind: 'leg', leg: whole, limitsOutput: false, maxSpend: spend } : short
}
