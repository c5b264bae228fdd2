import { advance } from '#src/requests/advance.ts'
import type { Deposit } from '#src/requests/deposit.ts'
import type { RequestEvent } from '#src/requests/requestEvent.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { StoredRequest } from '#src/requests/storedRequest.ts'

/**
 * What is saved where something happens to the refund of a deposit, which is as given from now on; `at` in
 * milliseconds since 1970. The request of another deposit is not concerned.
 */
export function refundChanges(
  deposit: Deposit,
  request: StoredRequest | undefined,
  event: Extract<RequestEvent, { type: `refund${string}` }>,
  at: number,
): Batch {
  const deposits = [deposit]
  if (request?.fundingDepositId !== deposit.depositId) return { deposits }
  const state = advance(request.state, event, at)
  return state === request.state ? { deposits } : { deposits, requests: [{ ...request, state }] }
}
