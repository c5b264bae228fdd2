import type { Batch } from '#src/requests/requestStore.ts'
import { advance } from '#src/requests/state/advance.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import type { RefundFailReason, StoredRequest } from '#src/requests/state/requestState.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'

/** An event of a refund, without its input. */
export type RefundEvent = WithoutInput<
  Extract<RequestEvent, Readonly<{ input: number }> & { type: `refund${string}` }>
>

type WithoutInput<Event> = Event extends unknown ? Omit<Event, 'input'> : never

/**
 * The changes to save after an event of a deposit's refund: the deposit as given, and the request's next state if the
 * deposit funds one of its inputs. `at` is in milliseconds since 1970.
 */
export function refundChanges(
  deposit: Deposit,
  request: StoredRequest | undefined,
  event: RefundEvent,
  at: number,
): Batch {
  const deposits = [deposit]
  const input = request && inputFundedBy(request, deposit.depositId)
  if (request === undefined || input === undefined) return { deposits }
  const state = advance(request, { ...event, input }, at)
  return state === request.state ? { deposits } : { deposits, requests: [{ ...request, state }] }
}

/** The changes to save if a refund is given up: deposit and request record `reason`. `at`: milliseconds since 1970. */
export function givenUpChanges(
  deposit: Deposit,
  request: StoredRequest | undefined,
  reason: RefundFailReason,
  at: number,
): Batch {
  const unrefundable: Deposit = { ...deposit, status: 'kept', refundFailReason: reason }
  return refundChanges(unrefundable, request, { type: 'refundFailed', reason }, at)
}
