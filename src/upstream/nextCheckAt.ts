import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { isAwaiting } from '#src/requests/state/requestState.ts'

const minMs = 1_000
/** Maximum interval while nothing is deposited. Anybody can create open quotes, so that each must cause little load. */
const maxWaitingMs = 600_000
const maxPaidMs = 60_000
const afterDeadlineMs = 3_600_000

/** Days after the deadline in which the status is still checked for a late deposit. */
const lateDays = 7

/**
 * Time of a request's next status check, Unix milliseconds: after a twentieth of the time since its last change, so
 * that a status is shown at most 5 % late. Undefined once no more changes are expected.
 */
export function nextCheckAt(
  { state, deadline }: Pick<StoredRequest, 'state' | 'deadline'>,
  now: number,
): number | undefined {
  const isOpen = isAwaiting(state.status)
  const late = now - deadline * 1000
  if (isOpen && late > lateDays * 86_400_000) return undefined
  if (isOpen && late > 0) return now + afterDeadlineMs
  const maxMs = isOpen ? maxWaitingMs : maxPaidMs
  return now + Math.max(minMs, Math.min(maxMs, Math.floor((now - state.updatedAt) / 20)))
}
