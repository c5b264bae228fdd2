import type { AppError } from '#src/errors.ts'
import type { SwapMode } from '#src/pools/pool.ts'
import { NoRouteError, OutputTooLowError } from '#src/pricing/failures.ts'
import type { Amount } from '#src/units/amount.ts'
import { type LegTask, legLimit } from './leg.ts'
import { withoutLimits } from './routeLimits.ts'

/** Why `swapLeg` has nothing for `amount`. */
export function legFailure(
  leg: 'origin' | 'destination',
  task: LegTask,
  kind: SwapMode,
  amount: Amount,
): AppError {
  const limit = legLimit(task, kind)
  if (kind === 'exactInput' && limit !== undefined && limit >= amount)
    return new OutputTooLowError(task.output)
  return new NoRouteError(leg, task, { kind, amount, limit, isAsked: isAsked(task, kind, amount) })
}

/** Whether it is what the order asks of routes that stands in the way. */
function isAsked(task: LegTask, kind: SwapMode, amount: Amount): boolean {
  if (task.limits === withoutLimits) return false
  const limit = legLimit({ ...task, limits: withoutLimits }, kind)
  return limit !== undefined && limit >= amount
}
