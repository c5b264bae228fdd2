import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { isAwaiting } from '#src/requests/state/requestState.ts'

/** In milliseconds. */
const shortest = 1_000
/** While nothing is deposited: anybody may quote, so that open quotes cost the service little. */
const longestWaiting = 600_000
const longestPaid = 60_000
const afterDeadline = 3_600_000

/** Days after the deadline in which a late deposit is still looked for. */
const lateDays = 7

/**
 * When a request is looked up again, in Unix milliseconds: after a twentieth of the time since its last change, so that a
 * status is shown at most 5 % late. `undefined` once nothing can be expected of it.
 */
export function nextLookUp(
  { state, deadline }: Pick<StoredRequest, 'state' | 'deadline'>,
  now: number,
): number | undefined {
  const isOpen = isAwaiting(state.status)
  const late = now - deadline * 1000
  if (isOpen && late > lateDays * 86_400_000) return undefined
  if (isOpen && late > 0) return now + afterDeadline
  const longest = isOpen ? longestWaiting : longestPaid
  return now + Math.max(shortest, Math.min(longest, Math.floor((now - state.updatedAt) / 20)))
}
