import { scheduledBps } from '#src/core/pricing/fees/relayFees.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Bps } from '#src/core/units/bps.ts'
import type { Caller } from '#src/service/callers.ts'
import { FieldError } from '#src/service/input/fieldError.ts'

/**
 * The solver bears a rate below its fee schedule, so only API keys with `discounts` may ask for one.
 * @throws FixedRateTooLowError
 */
export function checkFixedRate(
  { fixedRate, origin, destination }: Pick<Order, 'fixedRate' | 'origin' | 'destination'>,
  market: Market,
  caller: Caller | undefined,
): void {
  if (fixedRate === undefined || caller?.discounts === true) return
  const least = scheduledBps(market, origin, destination)
  if (fixedRate < least) throw new FixedRateTooLowError(fixedRate, least)
}

/** The fixed rate is below the fee schedule, and the caller has no right to that. */
class FixedRateTooLowError extends FieldError {
  constructor(asked: Bps, least: Bps) {
    const problem = `${asked} bps is less than the ${least} bps of the fee schedule; only an API key with discounts may go below`
    super('FORBIDDEN', ['fixedRate'], problem, { least: least.toString() })
  }
}
