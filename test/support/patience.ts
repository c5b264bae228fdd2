import { isLong } from './runs.ts'

/**
 * Limit in milliseconds on the wait for a condition that is bound to come, on a machine however busy. It only tells what did not come
 * before the test's own limit ends it.
 */
export const waitLimitMs = isLong ? 3_000_000 : 900_000

export const patience = { timeout: waitLimitMs }

/** Trackers look for overdue requests this often, by their own clock. */
export const overdueIntervalMs = 10_000
