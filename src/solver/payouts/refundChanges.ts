import type { Batch } from '#src/requests/requestStore.ts'
import { advance } from '#src/requests/state/advance.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { inputFundedBy } from '#src/requests/state/requestState.ts'

/** What happens to a refund, of whichever input. */
export type RefundEvent = WithoutInput<
  Extract<RequestEvent, Readonly<{ input: number }> & { type: `refund${string}` }>
>

type WithoutInput<Event> = Event extends unknown ? Omit<Event, 'input'> : never

/**
 * What is saved where something happens to the refund of a deposit, which is as given from now on; `at` in
 * milliseconds since 1970. The request of another deposit is not concerned.
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
